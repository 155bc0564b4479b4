import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeWire
import OrderedCollections

/// Through which node people speak, as those nodes state.
struct Hosts {
    /// As many as the people a mesh knows.
    private static let countMax = MeshLimit.peopleMax

    private struct Entry {
        let host: PeerID?
        let said: HybridTime
    }

    /// `host` is `nil` if the lookup found no valid statement.
    private var entries: OrderedDictionary<PeerID, Entry> = [:]

    subscript(_ peer: PeerID) -> PeerID? { entries[peer]?.host }

    func isKnown(_ peer: PeerID) -> Bool { entries[peer] != nil }

    /// Takes a record into account; it counts only if the host's node signed it.
    mutating func heard(_ record: VerifiedRecord) {
        let said = record.created
        if let known = entries[record.author], known.said >= said { return }
        do {
            put(Entry(host: try ResidenceBody.host(of: record), said: said), of: record.author)
        } catch {
            if !isKnown(record.author) { saysNothing(record.author) }
        }
    }

    mutating func saysNothing(_ peer: PeerID) {
        put(Entry(host: nil, said: HybridTime(rawValue: 0)), of: peer)
    }

    private mutating func put(_ entry: Entry, of peer: PeerID) {
        if entries[peer] == nil, entries.count >= Self.countMax { entries.removeFirst() }
        entries[peer] = entry
    }
}
