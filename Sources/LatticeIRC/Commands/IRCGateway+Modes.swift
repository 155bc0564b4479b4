import LatticeAPI
import LatticeCore

// MODE: shows the modes of rooms and people, and sets the few that can be set.
extension IRCGateway {
    mutating func mode(_ params: [String], of id: ConnectionID) {
        guard let target = params.first else { return missing(id, "MODE") }
        guard IRCChannel.isOne(target) else { return userMode(target, params.dropFirst().first, of: id) }
        guard let channel = channel(target, of: id) else { return }
        let name = Self.text(channel)
        guard params.count > 1 else {
            guard case .room(let room) = channel, connections[id]?.rooms[room]?.members != nil else {
                return numeric(id, .channelModeIs, [name, "+nt"])
            }
            return numeric(id, .channelModeIs, [name, "+knt", "*"])
        }
        let change = params[1]
        switch change.drop(while: { $0 == "+" }) {
        case "b": return numeric(id, .banListEnd, [name], trailing: "End of channel ban list")
        case "k" where change.hasPrefix("+"):
            guard case .room(let room) = channel, params.count > 2 else { return missing(id, "MODE") }
            return makePrivate(room, params[2], of: id)
        case let rest where rest.allSatisfy { "-bknt".contains($0) } && !rest.isEmpty:
            numeric(id, .chanOpNeeded, [name], trailing: "Rooms have no operators; nobody can change this")
        case let rest:
            let letter = rest.first { !"-bknt".contains($0) } ?? "?"
            numeric(id, .unknownMode, [Self.named(String(letter))], trailing: "is not a mode of this server")
        }
    }

    /// Replaces a public room in which nobody else is with a private one.
    private mutating func makePrivate(_ room: RoomName, _ key: String, of id: ConnectionID) {
        guard let membership = connections[id]?.rooms[room], let person = connections[id]?.person else {
            return numeric(id, .notOnChannel, [room.text], trailing: "You are not in this room")
        }
        guard membership.members == nil, members[room] == [person] else {
            return numeric(
                id, .chanOpNeeded, [room.text],
                trailing: "Others are in this room. JOIN \(room.text)-2 KEY makes a private room with another name")
        }
        ask(id, .perform(.room(.enter(room, key: TypedKey(key))))) { gateway, id, outcome in
            switch outcome {
            case .success(.answer(.room(.entered(let members?)))):
                gateway.leave(room, person)
                gateway.take(members, of: room, id)
                gateway.reply(id, IRCLine(source: gateway.mask(id), "MODE", [room.text, "+k", key]))
            case .success:
                gateway.numeric(id, .chanOpNeeded, [room.text], trailing: "The room was not changed")
            case .failure(let error):
                gateway.refuse(id, .badChannelKey, room.text, "Cannot set that key", error)
            }
        }
    }

    private mutating func userMode(_ nick: String, _ change: String?, of id: ConnectionID) {
        guard let connection = connections[id], IRCNick.folded(nick) == IRCNick.folded(connection.nick ?? "") else {
            if person(nick) == nil {
                return numeric(id, .noSuchNick, [Self.named(nick)], trailing: Self.nobody)
            }
            return numeric(id, .usersDoNotMatch, trailing: "You can only change your own modes")
        }
        guard let change else { return numeric(id, .userModeIs, [connection.isBot ? "+B" : "+"]) }
        var (isOn, isUnknown) = (true, false)
        for sign in change {
            switch sign {
            case "+": isOn = true
            case "-": isOn = false
            case "B":
                guard connections[id]?.isBot != isOn else { continue }
                connections[id]?.isBot = isOn
                reply(id, IRCLine(source: mask(id), "MODE", [connection.nick ?? "*", isOn ? "+B" : "-B"]))
            case "i": continue  // All clients request it; it has no effect here.
            default: isUnknown = true
            }
        }
        if isUnknown { numeric(id, .userModeUnknown, trailing: "Unknown mode; use +B, which marks you as a bot") }
    }
}
