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
    /// The away text that the person announced, which may be empty; `nil` if they are not away.
    var away: String?

    /// The away text for clients. It is never empty, because an empty text means back on IRC.
    var awayText: String? {
        away.map { text in
            let safe = DisplayText.safe(text)
            return safe.allSatisfy(\.isWhitespace) ? "Away" : safe
        }
    }
}

struct IRCGone {
    let id: PeerID
    let nick: String
    let user: String
    let realName: String
    let at: WallTime
}
