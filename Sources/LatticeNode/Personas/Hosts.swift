import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeWire
import OrderedCollections

/// Through whose node people speak, by these nodes' own word.
struct Hosts {
    /// As many as a mesh knows people.
    private static let countMax = MeshLimit.peopleMax

    private struct Entry {
        let host: PeerID?
        let said: HybridTime
    }

    /// Of whoever said nothing, or nothing true, that was found out.
    private var entries: OrderedDictionary<PeerID, Entry> = [:]

    subscript(_ peer: PeerID) -> PeerID? { entries[peer]?.host }

    func isKnown(_ peer: PeerID) -> Bool { entries[peer] != nil }

    /// Somebody said so; what their node did not sign counts for nothing.
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
