import LatticeCore

extension KnownRequest {
    static let prefix = "known."

    var call: Call {
        switch self {
        case .people: Call("known.people")
        case .find(let peer): Call("known.find", [.peer: peer])
        case .safetyNumber(let peer): Call("known.safetyNumber", [.peer: peer])
        case .verify(let peer, let isRight): Call("known.verify", [.peer: peer, .right: isRight])
        case .add(let peer, let petname): Call("known.add", [.peer: peer, .petname: petname])
        case .remove(let peer): Call("known.remove", [.peer: peer])
        case .block(let peer, let isBlocked): Call("known.block", [.peer: peer, .blocked: isBlocked])
        case .blockAll(let entries): Call("known.blockAll", [.entries: entries])
        case .ignore(let peer, let isIgnored): Call("known.ignore", [.peer: peer, .ignored: isIgnored])
        case .mute(let room, let isMuted): Call("known.mute", [.room: room, .muted: isMuted])
        case .muted: Call("known.muted")
        }
    }

    init(_ name: String, _ params: CallParams) throws {
        switch name.dropFirst(Self.prefix.count) {
        case "people": self = .people
        case "find": self = .find(try params[.peer])
        case "safetyNumber": self = .safetyNumber(try params[.peer])
        case "verify": self = .verify(try params[.peer], try params.optional(.right) ?? true)
        case "add": self = .add(try params[.peer], petname: try params.optional(.petname))
        case "remove": self = .remove(try params[.peer])
        case "block": self = .block(try params[.peer], try params.optional(.blocked) ?? true)
        case "blockAll": self = .blockAll(try params[.entries])
        case "ignore": self = .ignore(try params[.peer], try params.optional(.ignored) ?? true)
        case "mute": self = .mute(try params[.room], try params.optional(.muted) ?? true)
        case "muted": self = .muted
        default: throw UnknownCall(name: name)
        }
    }
}

extension KnownAnswer {
    static let prefix = "known."

    var call: Call {
        switch self {
        case .people(let people): Call("known.people", [.people: people])
        case .person(let person): Call("known.person", of: person)
        case .safetyNumber(let number): Call("known.safetyNumber", of: number)
        case .blocked(let count, let hasSelf): Call("known.blocked", [.new: count, .hasSelf: hasSelf])
        case .muted(let rooms): Call("known.muted", [.rooms: rooms])
        }
    }

    init(_ name: String, _ params: CallParams) throws {
        switch name.dropFirst(Self.prefix.count) {
        case "people": self = .people(try params[.people])
        case "person": self = .person(try params.whole())
        case "safetyNumber": self = .safetyNumber(try params.whole())
        case "blocked": self = .blocked(new: try params[.new], hasSelf: try params[.hasSelf])
        case "muted": self = .muted(try params[.rooms])
        default: throw UnknownCall(name: name)
        }
    }
}
