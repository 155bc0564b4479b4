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
    /// Away by their own word, and why; `nil` if they are not.
    var away: String?

    /// For clients, which take an empty text for being back.
    var awayText: String? {
        away.map { $0.allSatisfy(\.isWhitespace) ? "Away" : DisplayText.safe($0) }
    }
}

struct IRCGone {
    let id: PeerID
    let nick: String
    let user: String
    let realName: String
    let at: WallTime
}
