import LatticeAPI
import LatticeCore

/// A person in the mesh, as clients see them.
struct IRCPerson: Sendable {
    let id: PeerID
    var nick: String
    var name: PeerName
    /// Hops from here; 0 means on this node.
    var hops: Int
    /// Their connection, for people on this gateway.
    var connection: ConnectionID?
}

struct IRCGone {
    let id: PeerID
    let nick: String
    let user: String
    let realName: String
    let at: WallTime
}
