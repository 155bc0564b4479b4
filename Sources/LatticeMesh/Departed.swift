import LatticeCore
import LatticeWire
import OrderedCollections

/// The newest presence of everybody who is here no more, so that a neighbour that repeats an older one makes nobody appear again.
///
/// It is kept for longer than any presence lives; a peer whose clock went back meanwhile is believed again after that.
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
