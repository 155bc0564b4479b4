import LatticeAPI
import LatticeCore

/// INVITE, KICK and the modes of rooms: what a mesh has in place of operators. Requests that are under way are all its
/// state; what they change in a room is a verdict.
enum IRCModeration {
    enum Step: Sendable {
        case members(invite: IRCPerson, RoomName)
        case invited(nick: String, RoomName)
        case removed(IRCPerson, RoomName, reason: String)
        case membersWithout(nick: String, RoomName)
        case removedAbsent(RoomMember, RoomName)
        case madePrivate(RoomName, key: String)
    }

    enum Verdict {
        case removed(IRCPerson, RoomName, reason: String)
        /// A member whom no channel shows is no longer awaited.
        case removedAbsent(PeerID, RoomName)
        /// A public room is a private one now, with these members.
        case isPrivate(RoomName, [RoomMember])
    }

    // MARK: - INVITE

    static func invite(
        _ params: [String], of id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms, into clients: inout IRCClients
    ) {
        guard params.count > 1 else { return clients.missing(id, "INVITE") }
        guard let channel = clients.channel(params[1], of: id) else { return }
        guard case .room(let room) = channel, rooms.isIn(channel, id) else {
            return clients.isOutside(channel.name, id)
        }
        guard let person = people.person(params[0], clients) else { return clients.nobodyIs(params[0], id) }
        guard !rooms.isInPrivate(room, id) else {
            // The person's key known here may be an older one; only the node knows who has the current one.
            return clients.ask(id, .room(.members(room)), then: .moderation(.members(invite: person, room)))
        }
        guard !rooms.isMember(person.id, of: room) else { return isThere(person, room, id, into: &clients) }
        inviteToPublic(person, room, id, rooms, into: &clients)
    }

    private static func isThere(
        _ person: IRCPerson, _ room: RoomName, _ id: ConnectionID, into clients: inout IRCClients
    ) {
        clients.numeric(id, .userOnChannel, [person.nick, room.text], trailing: "is already in the room")
    }

    /// The mesh has no invitations to public rooms. Clients of this gateway get an INVITE; others need a private
    /// message.
    private static func inviteToPublic(
        _ person: IRCPerson, _ room: RoomName, _ id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients
    ) {
        guard let connection = person.connection else {
            return clients.note(
                id,
                "\(room.text) is public, so no invitation is needed. \(person.nick) is on another node: tell them with /msg "
                    + person.nick)
        }
        clients.numeric(id, .inviting, [person.nick, room.text])
        let line = IRCLine(source: clients.mask(id), "INVITE", [person.nick], trailing: room.text)
        let hearing =
            clients[id]?.person.map { clients.hearing($0, [connection] + (rooms.audiences[room] ?? [])) } ?? []
        if hearing.first == connection { clients.write(connection, line) }
        let others = clients.having(.inviteNotify, hearing)
        clients.spread(line, to: others.filter { $0 != id && $0 != connection })
    }

    private static func inviteToPrivate(
        _ person: IRCPerson, _ room: RoomName, _ outcome: IRCOutcome, _ id: ConnectionID,
        into clients: inout IRCClients
    ) {
        if case .success(.answer(.room(.members(let members)))) = outcome,
            members.contains(where: { $0.id == person.id && $0.state != .invited })
        {
            return isThere(person, room, id, into: &clients)
        }
        clients.ask(
            id, .room(.invite(person.id, name: person.name, room)),
            then: .moderation(.invited(nick: person.nick, room)))
    }

    // MARK: - KICK

    static func kick(
        _ params: [String], of id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms, into clients: inout IRCClients
    ) {
        guard params.count > 1 else { return clients.missing(id, "KICK") }
        guard let channel = clients.channel(params[0], of: id) else { return }
        guard case .room(let room) = channel, rooms.isIn(channel, id) else {
            return clients.isOutside(channel.name, id)
        }
        guard let closed = rooms.closed(room, id) else {
            return clients.numeric(
                id, .chanOpNeeded, [room.text],
                trailing: "Nobody can be removed from a public room; use a private one (JOIN #name KEY)")
        }
        guard let person = people.person(params[1], clients), closed.contains(person.id) else {
            // Perhaps a member who is not in the mesh, or was invited and has not joined.
            return clients.ask(
                id, .room(.members(room)), then: .moderation(.membersWithout(nick: params[1], room)))
        }
        let reason = params.count > 2 ? DisplayText.safe(params[2]) : person.nick
        clients.ask(
            id, .room(.remove(person.id, room)), then: .moderation(.removed(person, room, reason: reason)))
    }

    private static func isNotThere(
        _ nick: String, _ room: RoomName, _ id: ConnectionID, into clients: inout IRCClients
    ) {
        clients.numeric(
            id, .userNotInChannel, [IRCText.named(nick), room.text], trailing: "They are not in this room")
    }

    private static func kick(
        absent nick: String, from room: RoomName, _ outcome: IRCOutcome, _ id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) {
        guard case .success(.answer(.room(.members(let members)))) = outcome else {
            return isNotThere(nick, room, id, into: &clients)
        }
        let own = clients[id]?.person
        let meant = members.filter { $0.id != own && isCalled(nick, $0, people) }
        guard meant.count <= 1 else {
            let nicks = meant.map { IRCNick.suffixed($0.name, $0.id) }
            return IRCPeople.areSeveral(nick, nicks, id, into: &clients)
        }
        guard let member = meant.first else { return isNotThere(nick, room, id, into: &clients) }
        clients.ask(id, .room(.remove(member.id, room)), then: .moderation(.removedAbsent(member, room)))
    }

    /// Matches the nick that the member would have here, the suffixed nick, or the full key.
    private static func isCalled(_ nick: String, _ member: RoomMember, _ people: IRCPeople) -> Bool {
        let names = [
            people.speaker(member.id, member.name).nick, IRCNick.suffixed(member.name, member.id), member.id.hex,
        ]
        return names.contains { IRCNick.folded($0) == IRCNick.folded(nick) }
    }

    // MARK: - MODE

    static func mode(
        _ channel: IRCChannel, _ params: [String], of id: ConnectionID, _ rooms: IRCRooms,
        into clients: inout IRCClients
    ) {
        let name = channel.name
        guard params.count > 1 else {
            guard case .room(let room) = channel, rooms.isInPrivate(room, id) else {
                return clients.numeric(id, .channelModeIs, [name, "+nt"])
            }
            return clients.numeric(id, .channelModeIs, [name, "+knt", "*"])
        }
        let change = params[1]
        switch change.drop(while: { $0 == "+" }) {
        case "b": return clients.numeric(id, .banListEnd, [name], trailing: "End of channel ban list")
        case "k" where change.hasPrefix("+"):
            guard case .room(let room) = channel, params.count > 2 else { return clients.missing(id, "MODE") }
            return makePrivate(room, params[2], of: id, rooms, into: &clients)
        case let rest where rest.allSatisfy { "-bknt".contains($0) } && !rest.isEmpty:
            clients.numeric(id, .chanOpNeeded, [name], trailing: "Rooms have no operators; nobody can change this")
        case let rest:
            let letter = rest.first { !"-bknt".contains($0) } ?? "?"
            clients.numeric(
                id, .unknownMode, [IRCText.named(String(letter))], trailing: "is not a mode of this server")
        }
    }

    /// Replaces a public room in which nobody else is with a private one.
    private static func makePrivate(
        _ room: RoomName, _ key: String, of id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients
    ) {
        guard rooms.isIn(.room(room), id), let person = clients[id]?.person else {
            return clients.isOutside(room.text, id)
        }
        guard !rooms.isInPrivate(room, id), rooms.isAlone(person, in: room) else {
            return clients.numeric(
                id, .chanOpNeeded, [room.text],
                trailing: "Others are in this room. JOIN \(room.text)-2 KEY makes a private room with another name")
        }
        clients.ask(
            id, .room(.enter(room, key: TypedKey(key))), then: .moderation(.madePrivate(room, key: key)))
    }

    // MARK: - Replies

    static func answered(
        _ step: Step, _ outcome: IRCOutcome, of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) -> Verdict? {
        switch (step, outcome) {
        case (.members(let person, let room), _): inviteToPrivate(person, room, outcome, id, into: &clients)
        case (.invited(_, let room), .failure(let error)):
            clients.refuse(id, .chanOpNeeded, room.text, "Cannot invite", error)
        case (.invited(let nick, let room), .success):
            // The node notifies them and the others in the room.
            clients.numeric(id, .inviting, [nick, room.text])
        // The person was heard with an older key.
        case (.removed(let person, let room, _), .failure(let error)) where error.code == .unknownPeer:
            isNotThere(person.nick, room, id, into: &clients)
        case (.removed(_, let room, _), .failure(let error)), (.removedAbsent(_, let room), .failure(let error)):
            clients.refuse(id, .chanOpNeeded, room.text, "Cannot remove them", error)
        case (.removed(let person, let room, let reason), .success): return .removed(person, room, reason: reason)
        case (.membersWithout(let nick, let room), _):
            kick(absent: nick, from: room, outcome, id, people, into: &clients)
        case (.removedAbsent(let member, let room), .success):
            let nick = people.speaker(member.id, member.name).nick
            let state = member.state == .invited ? "is no longer invited" : "was removed"
            clients.note(id, "\(nick) \(state). \(room.text) has a new key now.", to: room.text)
            return .removedAbsent(member.id, room)
        case (.madePrivate(let room, let key), .success(.answer(.room(.entered(let members?))))):
            clients.reply(id, IRCLine(source: clients.mask(id), "MODE", [room.text, "+k", key]))
            return .isPrivate(room, members)
        case (.madePrivate(let room, _), .success):
            clients.numeric(id, .chanOpNeeded, [room.text], trailing: "The room was not changed")
        case (.madePrivate(let room, _), .failure(let error)):
            clients.refuse(id, .badChannelKey, room.text, "Cannot set that key", error)
        }
        return nil
    }
}
