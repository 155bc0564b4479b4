import LatticeCore

/// What the name of a channel stands for.
enum IRCChannel: Equatable {
    case room(RoomName)
    /// `&mesh`: events of the mesh.
    case status
    /// `#wall`: posts near this node.
    case wall

    static let statusName = "&mesh"
    static let wallName = "#wall"

    /// - Throws: `NameError` if the name is invalid.
    init(_ text: String) throws(NameError) {
        let folded = IRCNick.folded(text)
        guard folded != Self.statusName else {
            self = .status
            return
        }
        guard folded != Self.wallName else {
            self = .wall
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
        case .wall: Self.wallName
        }
    }

    static func isOne(_ text: String) -> Bool { text.first == "#" || text.first == "&" }
}
