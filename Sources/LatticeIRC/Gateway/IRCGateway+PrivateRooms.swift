import LatticeAPI
import LatticeCore

extension IRCGateway {
    mutating func happened(_ event: RoomEvent, _ id: ConnectionID) {
        switch event.kind {
        case .came: came(event.by.id, to: event.room, id)
        case .left:
            guard let person = taken(event.by.id, from: event.room, id) else { return }
            write(id, line(from: person, "PART", [event.room.text], trailing: "Left for good"))
        case .invited:
            guard isInPrivate(event.room, id), !having(.inviteNotify, [id]).isEmpty else { return }
            let host = speaker(event.by.id, event.by.name)
            for other in event.others where other.id != connections[id]?.person {
                let nick = speaker(other.id, other.name).nick
                write(id, line(from: host, "INVITE", [nick], trailing: event.room.text))
            }
        case .removed: removed(event, id)
        case .invitation: invited(event, id)
        case .oldKey:
            let nick = speaker(event.by.id, event.by.name).nick
            let text =
                "\(nick) has an old key and cannot read what is said here now. INVITE \(nick) \(event.room.text) sends "
                + "them the current one."
            if isInPrivate(event.room, id) { note(aside: id, text, to: event.room.text) }
        case .notKept: notKept(event, id)
        }
    }

    private func isInPrivate(_ room: RoomName, _ id: ConnectionID) -> Bool {
        connections[id]?.rooms[room]?.members != nil
    }

    /// Shows a new member, or waits until they are in the mesh.
    private mutating func came(_ peer: PeerID, to room: RoomName, _ id: ConnectionID) {
        guard let known = connections[id]?.rooms[room]?.members, !known.contains(peer),
            peer != connections[id]?.person
        else { return }
        guard let person = people[peer] else { return expect(peer, in: room, id) }
        connections[id]?.rooms[room]?.absent.remove(peer)
        connections[id]?.rooms[room]?.members?.insert(peer)
        tellOfJoin(person, room.text, to: [id], by: nil)
    }

    mutating func expect(_ peer: PeerID, in room: RoomName, _ id: ConnectionID) {
        connections[id]?.rooms[room]?.absent.insert(peer)
        awaited.insert(peer)
    }

    /// Takes over the members of a private room from the node's reply.
    mutating func take(_ members: [RoomMember], of room: RoomName, _ id: ConnectionID) {
        let membership = IRCConnection.Membership(members) { people[$0] != nil }
        connections[id]?.rooms[room] = membership
        for peer in membership.absent { expect(peer, in: room, id) }
    }

    /// Shows somebody who came into the mesh as joining in the private rooms they share with clients.
    mutating func isBack(_ person: IRCPerson) {
        guard awaited.remove(person.id) != nil else { return }
        for id in connections.keys.sorted() where id != person.connection {
            let rooms = connections[id]?.rooms.filter { $0.value.absent.contains(person.id) }.keys.sorted() ?? []
            for room in rooms { came(person.id, to: room, id) }
        }
    }

    /// - Returns: the person, if the room showed them until now.
    private mutating func taken(_ peer: PeerID, from room: RoomName, _ id: ConnectionID) -> IRCPerson? {
        connections[id]?.rooms[room]?.absent.remove(peer)
        return connections[id]?.rooms[room]?.members?.remove(peer) == nil ? nil : people[peer]
    }

    private mutating func removed(_ event: RoomEvent, _ id: ConnectionID) {
        guard isInPrivate(event.room, id) else { return }
        let host = speaker(event.by.id, event.by.name)
        for other in event.others {
            guard let person = taken(other.id, from: event.room, id) else { continue }
            write(id, line(from: host, "KICK", [event.room.text, person.nick], trailing: "Removed from the room"))
        }
        note(
            aside: id, "\(host.nick) made a new key. From now on only its members can read this room.",
            to: event.room.text)
    }

    private mutating func invited(_ event: RoomEvent, _ id: ConnectionID) {
        guard let nick = connections[id]?.nick else { return }
        let host = speaker(event.by.id, event.by.name)
        // Remembered so that the client can answer somebody it has never seen.
        if people[host.id] == nil { remember(host) }
        let room = event.room.text
        write(id, line(from: host, "INVITE", [nick], trailing: room))
        guard !isInPrivate(event.room, id) else {
            connections[id]?.invitedAgain.insert(event.room)
            return note(
                aside: id,
                "\(host.nick) invites you to \(room), which has a newer key than yours. JOIN \(room) takes it and shows what was "
                    + "said since.", to: room)
        }
        let way = connections[id]?.rooms[event.room] == nil ? "JOIN \(room)" : "PART \(room), then JOIN \(room)"
        note(
            aside: id,
            "\(host.nick) invites you to the private room \(room). Accept: \(way). Decline: /msg \(IRCService.nick) forget "
                + "\(room)")
    }

    /// Sent only once in a while: it would be the same for every line.
    private mutating func notKept(_ event: RoomEvent, _ id: ConnectionID) {
        guard let reason = event.reason else { return }
        if let time = connections[id]?.toldOfLossAt, now < time.advanced(by: limits.lossPause) { return }
        connections[id]?.toldOfLossAt = now
        note(
            aside: id,
            "Your lines are sent to everybody who is connected, but this node cannot store them: \(IRCWords.said(reason))",
            to: event.room.text)
    }

    // MARK: - Forgotten ones

    /// Limit on people whose declined and left private rooms are remembered.
    private static let forgottenMax = 1_000

    mutating func forgot(_ room: RoomName, by id: ConnectionID) {
        guard let person = connections[id]?.person, forgotten[person] != nil || forgotten.count < Self.forgottenMax
        else { return }
        forgotten[person, default: []].insert(room)
    }

    /// Warns that this is the public room: the client declined or left a private room of the same name.
    mutating func tellOfNamesake(_ room: RoomName, _ id: ConnectionID) {
        guard let person = connections[id]?.person, forgotten[person]?.contains(room) == true else { return }
        guard !isInPrivate(room, id) else {
            forgotten[person]?.remove(room)
            return
        }
        note(
            id,
            "\(room.text) here is the public room, which everybody in the mesh reads. You declined or left the private room "
                + "with this name.", to: room.text)
    }

    /// Somebody who is alone in a private room may have mistyped its key.
    mutating func tellOfEmptiness(_ room: RoomName, _ id: ConnectionID) {
        note(
            id,
            "You are alone in \(room.text), as far as this node knows. If others should be here, check the key: "
                + "/msg \(IRCService.nick) forget \(room.text), then JOIN \(room.text) KEY",
            to: room.text)
    }
}

extension IRCConnection.Membership {
    /// For a private room.
    ///
    /// - Parameter isThere: whether somebody is in the mesh.
    init(_ members: [RoomMember], isThere: (PeerID) -> Bool) {
        let inside = members.filter { $0.state != .invited }.map(\.id)
        self.members = Set(inside.filter(isThere))
        absent = Set(inside.filter { !isThere($0) })
    }
}
