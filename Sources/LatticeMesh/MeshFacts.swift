package import LatticeCore
import LatticeWire

/// State that every machine may read and only `Mesh` changes.
package struct MeshFacts: Sendable {
    let me: PeerID
    let options: MeshOptions
    var blocked: Set<PeerID> = []
    /// Peers that a person accepted under the policy `ask`; with `keepsMembers`, everybody of this mesh.
    var approved = RecentSet<PeerID>(countMax: MeshLimit.peopleMax)
    /// Personas that speak through this peer with keys of their own. They share its links, its outbox and its rate.
    var personas: Set<PeerID> = []
    /// We said goodbye to every neighbour: no new links.
    var hasLeft = false
    /// Counts events, and so orders them even while the clock stands still.
    var step: UInt64 = 0

    /// Whether this author is this peer or one of its personas.
    package func isOwn(_ author: PeerID) -> Bool {
        author == me || personas.contains(author)
    }

    /// Whether the policy lets us link with this peer without asking a person.
    func mayLink(_ peer: PeerID) -> Bool {
        guard !blocked.contains(peer) else { return false }
        return options.policy == .auto || options.contacts.contains(peer) || approved.contains(peer)
    }

    /// Whether a link with this peer is made without anybody asking for it.
    func mayDial(_ peer: PeerID) -> Bool {
        mayLink(peer) && (options.dialsSighted || approved.contains(peer))
    }

    /// Like `mayLink`, for a peer that is in the mesh, as a neighbour says.
    func mayLinkUnseen(_ peer: PeerID) -> Bool {
        mayLink(peer) || (options.vouched && options.policy == .ask && !blocked.contains(peer))
    }

    /// Whether a prefix may be that of a blocked peer. Only the handshake proves it.
    func isBlocked(_ prefix: PeerPrefix) -> Bool {
        blocked.contains { $0.prefix == prefix }
    }
}
