import LatticeCore
import LatticeMesh
import LatticeWire

/// Performs reconciliation steps with the real reconciler on the sets of a store.
enum StoreComparing {
    /// - Parameter isAway: whether a record need not be requested from the other side: it is already on its way into
    ///   the store.
    static func step(
        _ work: ComparisonWork, with set: ReconciliationSet, frameBytesMax: Int, in store: SimulatedStore,
        isAway: (RecordID) -> Bool
    ) -> ComparisonOutcome {
        let since = work.since.rawValue
        do {
            switch work.side {
            case .answer:
                let responder = Reconciler.responder(.thrifty, from: since, frameBytesMax: frameBytesMax, sha256: hash)
                let step = try responder.read(work.message, with: set)
                return ComparisonOutcome(work, .step(reply: step.reply, have: [], need: []))
            case .question:
                let initiator = Reconciler.initiator(.thrifty, from: since, frameBytesMax: frameBytesMax, sha256: hash)
                if work.message.isEmpty {
                    return ComparisonOutcome(work, .step(reply: initiator.begin(with: set), have: [], need: []))
                }
                let step = try initiator.read(work.message, with: set)
                let need = step.need.map(RecordID.init).filter { store.rows[$0] == nil && !isAway($0) }
                return ComparisonOutcome(
                    work, .step(reply: step.reply, have: step.have.map(RecordID.init), need: need))
            }
        } catch {
            return ComparisonOutcome(work, .faulty("\(error)"))
        }
    }

    /// A 128-bit hash in place of SHA-256; nobody in a simulation tries to forge it.
    static let hash: Fingerprinter = { bytes in
        var (left, right) = (UInt64(bytes.count), UInt64(0x6A09_E667_F3BC_C908))
        var word: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            word = word << 8 | UInt64(byte)
            guard index % 8 == 7 || index == bytes.count - 1 else { continue }
            left = (left ^ word) &* 0x9E37_79B9_7F4A_7C15
            left ^= left >> 32
            right = (right &+ word) &* 0xBF58_476D_1CE4_E5B9
            right ^= right >> 29
            word = 0
        }
        var first = SeededGenerator(seed: left)
        var second = SeededGenerator(seed: right ^ left << 1)
        return Bytes32(words: (first.next(), second.next(), first.next(), second.next()))
    }
}

extension SimulatedStore {
    func set(of scope: SyncScope, since: HybridTime) -> ReconciliationSet {
        let whole = sets[Self.index(scope.group)]
        guard scope.room != nil || since.rawValue > 0 else { return whole }
        var items: [ReconciliationItem] = []
        whole.forEach(in: 0..<whole.count) { item in
            guard item.timestamp >= since.rawValue else { return }
            if let room = scope.room, rows[RecordID(item.id)]?.record.record.topic != room { return }
            items.append(item)
        }
        return ReconciliationSet(items)
    }
}
