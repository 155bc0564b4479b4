package import LatticeCore

// People who speak through this peer: each has a key of their own, and is seen from elsewhere as any peer is. They share this peer's
// links, its outbox and the room that others leave it to speak.
extension Mesh {
    mutating func residentsChanged(_ peers: Set<PeerID>) {
        precondition(peers.count <= MeshLimit.residentsMax && !peers.contains(me), "the caller checks their number")
        residents = peers
        isDisturbed = true
    }

    /// Whether what this author says is said here.
    package func isOwn(_ author: PeerID) -> Bool {
        author == me || residents.contains(author)
    }
}
