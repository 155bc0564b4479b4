import LatticeAPI
import LatticeCore

// Queries about channels and their members, and what a mesh has in place of operators.
extension IRCGateway {
    /// Members sorted by nick; those of a private room only for its members.
    func occupants(_ channel: IRCChannel, for id: ConnectionID) -> [IRCPerson] {
        let ids: Set<PeerID>
        switch channel {
        case .room(let room):
            if let closed = connections[id]?.rooms[room]?.members {
                ids = closed.union(connections[id]?.person.map { [$0] } ?? [])
            } else {
                ids = members[room] ?? []
            }
        case .status, .wall: ids = Set(audience(of: channel).compactMap { connections[$0]?.person })
        }
        return ids.compactMap { people[$0] }.sorted { $0.nick.utf8.lexicographicallyPrecedes($1.nick.utf8) }
    }

    mutating func names(_ name: String, of id: ConnectionID) {
        do throws(NameError) {
            let channel = try IRCChannel(name)
            let isLong = capabilities[id]?.contains(.userhostInNames) == true
            var names = occupants(channel, for: id).map { isLong ? mask($0) : $0.nick }
            if channel == .status { names.append(isLong ? serviceMask : IRCService.nick) }
            var isClosed = false
            if case .room(let room) = channel { isClosed = connections[id]?.rooms[room]?.members != nil }
            var line = IRCLine(
                source: settings.serverName, IRCNumeric.namesReply.text,
                [connections[id]?.nick ?? "*", isClosed ? "@" : "=", Self.text(channel)])
            var piece = ""
            for name in names {
                if piece.utf8.count + name.utf8.count + 1 > line.textBytesLeft {
                    line.trailing = piece
                    reply(id, line)
                    piece = ""
                }
                piece += piece.isEmpty ? name : " \(name)"
            }
            line.trailing = piece
            if !piece.isEmpty { reply(id, line) }
            numeric(id, .namesEnd, [Self.text(channel)], trailing: "End of /NAMES list")
        } catch {
            numeric(id, .namesEnd, [Self.named(name)], trailing: "End of /NAMES list")
        }
    }

    static func text(_ channel: IRCChannel) -> String {
        switch channel {
        case .room(let room): room.text
        case .status: IRCChannel.statusName
        case .wall: IRCChannel.wallName
        }
    }

    /// LIST, with masks and numbers of people (ELIST=MU).
    mutating func list(_ wanted: [String], of id: ConnectionID) {
        var rows = members.compactMap { room, people in people.isEmpty ? nil : (room.text, people.count) }
        rows.append((IRCChannel.statusName, audience(of: .status).count + 1))
        rows.append((IRCChannel.wallName, audience(of: .wall).count))
        rows.sort { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        for item in wanted {
            if let count = Int(item.dropFirst()), item.hasPrefix(">") {
                rows.removeAll { $0.1 <= count }
            } else if let count = Int(item.dropFirst()), item.hasPrefix("<") {
                rows.removeAll { $0.1 >= count }
            }
        }
        let masks = wanted.filter { !$0.hasPrefix(">") && !$0.hasPrefix("<") }.prefix(16)
        if !masks.isEmpty { rows.removeAll { row in !masks.contains { IRCMask.matches(row.0, $0) } } }
        numeric(id, .listStart, ["Channel"], trailing: "People and topic")
        for row in rows.prefix(limits.rowsMax) { numeric(id, .list, [row.0, "\(row.1)"], trailing: "") }
        numeric(id, .listEnd, trailing: "End of /LIST")
    }

    mutating func topic(_ name: String, isSet: Bool, of id: ConnectionID) {
        guard let channel = channel(name, of: id) else { return }
        guard isIn(channel, id) else {
            return numeric(id, .notOnChannel, [Self.text(channel)], trailing: "You are not in this room")
        }
        guard isSet else { return numeric(id, .noTopic, [Self.text(channel)], trailing: "Rooms have no topics") }
        numeric(id, .chanOpNeeded, [Self.text(channel)], trailing: "Rooms have no topics; say it in the room")
    }

    mutating func invite(_ params: [String], of id: ConnectionID) {
        guard params.count > 1 else { return missing(id, "INVITE") }
        guard let channel = channel(params[1], of: id) else { return }
        guard case .room(let room) = channel, let membership = connections[id]?.rooms[room] else {
            return numeric(id, .notOnChannel, [Self.text(channel)], trailing: "You are not in this room")
        }
        guard let person = person(params[0]) else {
            return numeric(id, .noSuchNick, [Self.named(params[0])], trailing: Self.nobody)
        }
        guard membership.members == nil else { return inviteToPrivate(person, room, id) }
        guard members[room]?.contains(person.id) != true else { return isThere(person, room, id) }
        inviteToPublic(person, room, id)
    }

    private mutating func isThere(_ person: IRCPerson, _ room: RoomName, _ id: ConnectionID) {
        numeric(id, .userOnChannel, [person.nick, room.text], trailing: "is already in the room")
    }

    /// The person's key known here may be an older one; only the node knows who has the current one.
    private mutating func inviteToPrivate(_ person: IRCPerson, _ room: RoomName, _ id: ConnectionID) {
        ask(id, .perform(.room(.members(room)))) { gateway, id, outcome in
            if case .success(.answer(.room(.members(let members)))) = outcome,
                members.contains(where: { $0.id == person.id && $0.state != .invited })
            {
                return gateway.isThere(person, room, id)
            }
            gateway.ask(id, .perform(.room(.invite(person.id, name: person.name, room)))) { gateway, id, outcome in
                if case .failure(let error) = outcome {
                    return gateway.refuse(id, .chanOpNeeded, room.text, "Cannot invite", error)
                }
                // The node notifies them and the others in the room.
                gateway.numeric(id, .inviting, [person.nick, room.text])
            }
        }
    }

    /// The mesh has no invitations to public rooms. Clients of this gateway get an INVITE; others need a private
    /// message.
    private mutating func inviteToPublic(_ person: IRCPerson, _ room: RoomName, _ id: ConnectionID) {
        guard person.connection == nil else {
            numeric(id, .inviting, [person.nick, room.text])
            return tellOfInvitation(person, room, id)
        }
        note(
            id,
            "\(room.text) is public, so no invitation is needed. \(person.nick) is on another node: tell them with /msg "
                + person.nick)
    }

    private mutating func tellOfInvitation(_ person: IRCPerson, _ room: RoomName, _ id: ConnectionID) {
        let line = IRCLine(source: mask(id), "INVITE", [person.nick], trailing: room.text)
        if let connection = person.connection { write(connection, line) }
        let others = having(.inviteNotify, audiences[room] ?? []).filter { $0 != id && $0 != person.connection }
        spread(line, to: others)
    }

    mutating func kick(_ params: [String], of id: ConnectionID) {
        guard params.count > 1 else { return missing(id, "KICK") }
        guard let channel = channel(params[0], of: id) else { return }
        guard case .room(let room) = channel, let membership = connections[id]?.rooms[room] else {
            return numeric(id, .notOnChannel, [Self.text(channel)], trailing: "You are not in this room")
        }
        guard let closed = membership.members else {
            return numeric(
                id, .chanOpNeeded, [room.text],
                trailing:
                    "Nobody can be removed from a public room; use a private one (JOIN #name KEY)")
        }
        guard let person = person(params[1]), closed.contains(person.id) else {
            return kick(absent: params[1], from: room, id)
        }
        let reason = params.count > 2 ? DisplayText.safe(params[2]) : person.nick
        ask(id, .perform(.room(.remove(person.id, room)))) { gateway, id, outcome in
            switch outcome {
            // The person was heard with an older key.
            case .failure(let error) where error.code == .unknownPeer: gateway.isNotThere(person.nick, room, id)
            case .failure(let error): gateway.refuse(id, .chanOpNeeded, room.text, "Cannot remove them", error)
            case .success: gateway.removed(person, from: room, by: id, reason)
            }
        }
    }

    private mutating func isNotThere(_ nick: String, _ room: RoomName, _ id: ConnectionID) {
        numeric(id, .userNotInChannel, [Self.named(nick), room.text], trailing: "They are not in this room")
    }

    /// Removes a member of a private room whom no channel shows: one who is not in the mesh, or was invited and has not
    /// joined.
    private mutating func kick(absent nick: String, from room: RoomName, _ id: ConnectionID) {
        ask(id, .perform(.room(.members(room)))) { gateway, id, outcome in
            guard case .success(.answer(.room(.members(let members)))) = outcome else {
                return gateway.isNotThere(nick, room, id)
            }
            let own = gateway.connections[id]?.person
            let meant = members.filter { $0.id != own && gateway.isCalled(nick, $0) }
            guard meant.count <= 1 else {
                return gateway.ambiguous(nick, meant.map { IRCNick.suffixed($0.name, $0.id) }, id)
            }
            guard let member = meant.first else { return gateway.isNotThere(nick, room, id) }
            gateway.ask(id, .perform(.room(.remove(member.id, room)))) { gateway, id, outcome in
                if case .failure(let error) = outcome {
                    return gateway.refuse(id, .chanOpNeeded, room.text, "Cannot remove them", error)
                }
                gateway.connections[id]?.rooms[room]?.absent.remove(member.id)
                let nick = gateway.speaker(member.id, member.name).nick
                let state =
                    member.state == .invited ? "is no longer invited" : "was removed"
                gateway.note(id, "\(nick) \(state). \(room.text) has a new key now.", to: room.text)
            }
        }
    }

    /// Matches the nick that the member would have here, the suffixed nick, or the full key.
    private func isCalled(_ nick: String, _ member: RoomMember) -> Bool {
        let names = [speaker(member.id, member.name).nick, IRCNick.suffixed(member.name, member.id), member.id.hex]
        return names.contains { IRCNick.folded($0) == IRCNick.folded(nick) }
    }

    /// Other clients of this gateway in the same private room see the KICK at once.
    private mutating func removed(_ person: IRCPerson, from room: RoomName, by id: ConnectionID, _ reason: String) {
        guard let own = connections[id]?.person else { return }
        let line = IRCLine(source: mask(id), "KICK", [room.text, person.nick], trailing: reason)
        let told = connections.values.filter { other in
            guard let closed = other.rooms[room]?.members else { return false }
            return other.id == id || closed.contains(own) && closed.contains(person.id)
        }.map(\.id).sorted()
        for other in told { connections[other]?.rooms[room]?.members?.remove(person.id) }
        spread(line, of: id, to: told)
        if let connection = person.connection, !told.contains(connection),
            connections[connection]?.rooms[room]?.members != nil
        {
            write(connection, line)
        }
        if let connection = person.connection, connections[connection]?.rooms[room]?.members != nil {
            connections[connection]?.rooms[room] = nil
        }
    }
}
