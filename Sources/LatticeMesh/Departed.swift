import LatticeCore
import LatticeWire
import OrderedCollections

/// The newest presence of each peer that has gone, so that a neighbour that repeats an older one cannot bring the peer
/// back.
///
/// It is remembered longer than any presence lives; after that a peer whose clock was set back is accepted again.
struct Departed: Sendable {
    struct Last: Sendable {
        let created: HybridTime
        let clock: AuthorsClock
        let at: Instant
    }

    private var lasts: OrderedDictionary<PeerID, Last> = [:]

    subscript(_ peer: PeerID, at now: Instant) -> Last? {
        lasts[peer].flatMap { now - $0.at < MeshLimit.departedFor ? $0 : nil }
    }

    mutating func insert(_ peer: PeerID, _ last: Last) {
        lasts.removeValue(forKey: peer)
        lasts[peer] = last
        if lasts.count > MeshLimit.peopleMax { lasts.removeFirst() }
    }

    mutating func remove(_ peer: PeerID) {
        lasts.removeValue(forKey: peer)
    }
}
