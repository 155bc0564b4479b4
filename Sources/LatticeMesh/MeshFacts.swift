import LatticeCore
import LatticeWire

/// What every machine of the mesh may read and `Mesh` alone changes.
struct MeshFacts: Sendable {
    let me: PeerID
    let options: MeshOptions
    /// Peers that a person blocked.
    var blocked: Set<PeerID> = []
    /// Peers that a person said yes to, in the policy `ask`.
    var approved = RecentSet<PeerID>(countMax: MeshLimit.peopleMax)
    /// People who speak through this peer, each with a key of their own. They share its links, its outbox and what it may say.
    var personas: Set<PeerID> = []
    /// We said goodbye to every neighbour: no link is made from now on.
    var hasLeft = false
    /// Counts events. It orders them even if the clock stands still.
    var step: UInt64 = 0

    /// Whether this author's records are said here.
    func isOwn(_ author: PeerID) -> Bool {
        author == me || personas.contains(author)
    }

    /// Whether this peer may be linked with unasked.
    func mayLink(_ peer: PeerID) -> Bool {
        guard !blocked.contains(peer) else { return false }
        return options.policy == .auto || options.contacts.contains(peer) || approved.contains(peer)
    }

    /// Whether a prefix may be that of a blocked peer. Only the handshake proves it.
    func isBlocked(_ prefix: PeerPrefix) -> Bool {
        blocked.contains { $0.prefix == prefix }
    }
}
