import LatticeCore

extension RoomRequest {
    static let prefix = "room."

    var call: Call {
        switch self {
        case .list: Call("room.list")
        case .enter(let room, let key): Call("room.enter", [.room: room, .key: key])
        case .create(let room): Call("room.create", [.room: room])
        case .key(let room): Call("room.key", [.room: room])
        case .invite(let peer, let name, let room): Call("room.invite", [.peer: peer, .name: name, .room: room])
        case .remove(let peer, let room): Call("room.remove", [.peer: peer, .room: room])
        case .members(let room): Call("room.members", [.room: room])
        case .forget(let room): Call("room.forget", [.room: room])
        }
    }

    init(_ name: String, _ params: CallParams) throws {
        switch name.dropFirst(Self.prefix.count) {
        case "list": self = .list
        case "enter": self = .enter(try params[.room], key: try params.optional(.key))
        case "create": self = .create(try params[.room])
        case "key": self = .key(try params[.room])
        case "invite": self = .invite(try params[.peer], name: try params.optional(.name), try params[.room])
        case "remove": self = .remove(try params[.peer], try params[.room])
        case "members": self = .members(try params[.room])
        case "forget": self = .forget(try params[.room])
        default: throw UnknownCall(name: name)
        }
    }
}

extension RoomAnswer {
    static let prefix = "room."

    var call: Call {
        switch self {
        case .done: Call("room.done")
        case .rooms(let rooms): Call("room.rooms", [.rooms: rooms])
        case .entered(let members): Call("room.entered", [.members: members])
        case .key(let key): Call("room.key", [.key: key])
        case .members(let members): Call("room.members", [.members: members])
        }
    }

    init(_ name: String, _ params: CallParams) throws {
        switch name.dropFirst(Self.prefix.count) {
        case "done": self = .done
        case "rooms": self = .rooms(try params[.rooms])
        case "entered": self = .entered(try params.optional(.members))
        case "key": self = .key(try params[.key])
        case "members": self = .members(try params[.members])
        default: throw UnknownCall(name: name)
        }
    }
}

/// Text: whoever may ask a node is who typed it.
extension TypedKey: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: bytes, as: UTF8.self))
    }
}
