import LatticeCore

enum IRCChannel: Equatable {
    case room(RoomName)
    /// `&mesh`: events of the mesh.
    case status
    /// `#posts`: posts near this node.
    case posts

    static let statusName = "&mesh"
    static let postsName = "#posts"

    init(_ text: String) throws(NameError) {
        let folded = IRCNick.folded(text)
        guard folded != Self.statusName else {
            self = .status
            return
        }
        guard folded != Self.postsName else {
            self = .posts
            return
        }
        self = .room(try RoomName(text))
    }

    init?(named text: String) {
        do {
            self = try IRCChannel(text)
        } catch {
            return nil
        }
    }

    var name: String {
        switch self {
        case .room(let room): room.text
        case .status: Self.statusName
        case .posts: Self.postsName
        }
    }

    static func isOne(_ text: String) -> Bool { text.first == "#" || text.first == "&" }
}
