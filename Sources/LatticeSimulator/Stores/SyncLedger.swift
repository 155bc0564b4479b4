import LatticeCore
import LatticeMesh
import LatticeWire

/// The cost of reconciling so far, for judges and figures.
package struct SyncLedger: Sendable {
    /// Reconciliation frames between honest peers, and their bytes.
    package private(set) var comparisonFrames = 0
    package private(set) var comparisonBytes = 0
    /// Reconciliations of one scope between honest peers, and the sum of the differences between both stores at their
    /// starts.
    package private(set) var comparisons = 0
    package private(set) var differences = 0
    /// Copies of records that honest peers served to honest ones.
    package private(set) var served = 0
    /// Bytes of all frames about stores that honest peers sent to a liar, and the reconciliation steps they took for
    /// it.
    package private(set) var bytesToLiars: [Int: Int] = [:]
    package private(set) var stepsForLiars: [Int: Int] = [:]
    /// Copies of a record served to a peer in its current life, by `key`.
    private var servedOfRecord: [UInt64: Int] = [:]
    /// When a store last accepted a record from a broadcast.
    private var floodedAt: [Int: Int64] = [:]
    /// For the sabotage: what a peer has already requested, by `key`.
    private var asked: Set<UInt64> = []

    mutating func began(differences count: Int) {
        comparisons += 1
        differences += count
    }

    mutating func steppedForLiar(_ liar: Int) { stepsForLiars[liar, default: 0] += 1 }

    mutating func sent(_ type: Frame.TypeNumber, bytes: Int, toLiar liar: Int?, isFromHonest: Bool) {
        guard isFromHonest else { return }
        if let liar {
            bytesToLiars[liar, default: 0] += bytes
        } else if type == .comparison {
            comparisonFrames += 1
            comparisonBytes += bytes
        }
    }

    /// - Returns: the total so far.
    mutating func served(_ record: Int, to peer: Int) -> Int {
        served += 1
        let key = Self.key(peer, record)
        servedOfRecord[key, default: 0] += 1
        return servedOfRecord[key, default: 0]
    }

    /// The store had no space for a copy; another one is no fault.
    mutating func failed(_ record: Int, at peer: Int) { servedOfRecord[Self.key(peer, record)]? -= 1 }

    /// In a new life, records served before may be lost with the process.
    mutating func started(_ peer: Int) {
        servedOfRecord = servedOfRecord.filter { $0.key >> 32 != UInt64(peer) }
    }

    mutating func flooded(_ record: Int, at time: Int64) { floodedAt[record] = time }

    func lastFlooded(_ record: Int) -> Int64 { floodedAt[record] ?? 0 }

    /// Removes records that were requested before from requests.
    mutating func askOnce(_ effects: inout [MeshEffect], by peer: Int, in registry: Registry) {
        for (index, effect) in effects.enumerated() {
            guard case .send(.fetch(let list), let link) = effect else { continue }
            let fresh = list.ids.filter { asked.insert(Self.key(peer, registry.number(of: $0))).inserted }
            effects[index] = fresh.isEmpty ? .syncChanged : .send(.fetch(RecordIDs(fresh)), to: link)
        }
    }

    private static func key(_ peer: Int, _ record: Int) -> UInt64 {
        UInt64(peer) << 32 | UInt64(UInt32(truncatingIfNeeded: record))
    }
}
