import LatticeAPI
import LatticeCore

// What the node reports about rooms.
extension IRCRooms {

    /// A line in a public room.
    mutating func heard(_ message: Message, from speaker: IRCPerson, into clients: inout IRCClients) {
        let audience = clients.hearing(message.from, audiences[message.room] ?? []).filter { $0 != speaker.connection }
        guard !audience.isEmpty else { return }
        if message.isLate, !showsLate(in: message.room, at: clients.now) { return }
        clients.deliver(clients.lines(message, from: speaker), isLate: message.isLate, to: audience)
    }

    /// Somebody edited or deleted a line of a public room, or reacted to it.
    func changed(_ change: LineChange, by speaker: IRCPerson, into clients: inout IRCClients) {
        let audience = clients.hearing(change.by, audiences[change.line.room] ?? [])
        IRCLineActs.show(IRCLineActs.Act(change), by: speaker, to: audience, into: &clients)
    }

    /// The same for a line of a private room.
    func changed(
        alone change: LineChange, _ id: ConnectionID, by speaker: IRCPerson, into clients: inout IRCClients
    ) {
        guard isInPrivate(change.line.room, id) else { return }
        IRCLineActs.show(IRCLineActs.Act(change), by: speaker, to: [id], into: &clients)
    }

    /// A line in a private room. Its author is in the room, even if nobody reported that.
    mutating func heard(
        alone message: Message, _ id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) {
        guard message.from != clients[id]?.person, let closed = closed(message.room, id) else { return }
        let speaker = people.speaker(message.from, message.name)
        if people[message.from] != nil, !closed.contains(message.from) {
            show(message.from, in: message.room, id)
            clients.announceJoin(speaker, message.room.text, to: [id], by: nil)
        }
        clients.deliver(clients.lines(message, from: speaker), isLate: message.isLate, to: [id])
    }

    /// Reports for each room how many late lines were not shown, once they have stopped arriving.
    mutating func reportLateLines(into clients: inout IRCClients) {
        for (room, hidden) in endedLate(at: clients.now) where hidden > 0 {
            var line = IRCLine(source: clients.serviceMask, "NOTICE", [room.text])
            (line.time, line.isBot) = (clients.date, true)
            let count = IRCText.counted(hidden, "more older line")
            line.trailing = "\(count) arrived. CHATHISTORY shows them; leaving and joining shows the last ones."
            clients.spread(line, to: audiences[room] ?? [])
        }
    }

    mutating func happened(
        _ event: RoomEvent, _ id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) {
        let by = people.speaker(event.by.id, event.by.name)
        switch event.kind {
        case .came: came(event.by.id, to: event.room, id, people, into: &clients)
        case .left:
            guard remove(by.id, from: event.room, id), people[by.id] != nil else { return }
            clients.write(id, clients.line(from: by, "PART", [event.room.text], trailing: "Left for good"))
        case .invited:
            guard isInPrivate(event.room, id), clients.has(.inviteNotify, id) else { return }
            for other in event.others where other.id != clients[id]?.person {
                let nick = people.speaker(other.id, other.name).nick
                clients.write(id, clients.line(from: by, "INVITE", [nick], trailing: event.room.text))
            }
        case .removed: removed(event, by, id, people, into: &clients)
        case .invitation: invited(by, to: event.room, id, into: &clients)
        case .oldKey:
            let text =
                "\(by.nick) has an old key and cannot read what is said here now. INVITE \(by.nick) \(event.room.text) "
                + "sends them the current one."
            if isInPrivate(event.room, id) { clients.note(aside: id, text, to: event.room.text) }
        case .notKept: notKept(event, id, into: &clients)
        }
    }

    /// Shows a new member, or waits until they are in the mesh.
    private mutating func came(
        _ peer: PeerID, to room: RoomName, _ id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) {
        guard let known = closed(room, id), !known.contains(peer), peer != clients[id]?.person else { return }
        guard let person = people[peer] else { return expect(peer, in: room, id) }
        show(peer, in: room, id)
        clients.announceJoin(person, room.text, to: [id], by: nil)
    }

    /// Shows somebody who came into the mesh as joining in the private rooms they share with clients.
    mutating func isBack(_ person: IRCPerson, _ people: IRCPeople, into clients: inout IRCClients) {
        for (id, rooms) in seatsAwaiting(person.id) where id != person.connection {
            for room in rooms { came(person.id, to: room, id, people, into: &clients) }
        }
    }

    /// Takes over the members that the node lists, and shows who is new or gone.
    mutating func refresh(
        _ room: RoomName, _ members: [RoomMember], _ id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) {
        guard let known = closed(room, id), let own = clients[id]?.person else { return }
        take(members, of: room, id) { people[$0] != nil }
        let now = closed(room, id) ?? []
        for peer in known.sorted() where !now.contains(peer) && peer != own {
            guard let person = people[peer] else { continue }
            clients.write(id, clients.line(from: person, "PART", [room.text], trailing: "Has no current key"))
        }
        for peer in now.sorted() where !known.contains(peer) && peer != own {
            if let person = people[peer] { clients.announceJoin(person, room.text, to: [id], by: nil) }
        }
    }

    private mutating func removed(
        _ event: RoomEvent, _ by: IRCPerson, _ id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) {
        guard isInPrivate(event.room, id) else { return }
        let room = event.room.text
        for other in event.others {
            guard remove(other.id, from: event.room, id), let person = people[other.id] else { continue }
            clients.write(id, clients.line(from: by, "KICK", [room, person.nick], trailing: "Removed from the room"))
        }
        clients.note(
            aside: id, "\(by.nick) made a new key. From now on only its members can read this room.", to: room)
    }

    /// A client removed a member. Other clients of this gateway in the same private room see the KICK at once.
    mutating func kick(
        _ person: IRCPerson, from room: RoomName, by id: ConnectionID, _ reason: String, into clients: inout IRCClients
    ) {
        guard let own = clients[id]?.person else { return }
        let line = IRCLine(source: clients.mask(id), "KICK", [room.text, person.nick], trailing: reason)
        let seeing = seats(in: room, of: id, with: [own, person.id])
        for other in seeing { forget(person.id, in: room, other) }
        clients.spread(line, of: id, to: seeing)
        guard let connection = person.connection, isInPrivate(room, connection) else { return }
        if !seeing.contains(connection) { clients.write(connection, line) }
        setIn(.room(room), connection, false)
    }

    private mutating func invited(
        _ by: IRCPerson, to room: RoomName, _ id: ConnectionID, into clients: inout IRCClients
    ) {
        guard let nick = clients[id]?.nick else { return }
        let name = room.text
        clients.write(id, clients.line(from: by, "INVITE", [nick], trailing: name))
        guard !isInPrivate(room, id) else {
            invitedAgain(to: room, id)
            return clients.note(
                aside: id,
                "\(by.nick) invites you to \(name), which has a newer key than yours. JOIN \(name) takes it and shows what was "
                    + "said since.", to: name)
        }
        let way = isIn(.room(room), id) ? "PART \(name), then JOIN \(name)" : "JOIN \(name)"
        clients.note(
            aside: id,
            "\(by.nick) invites you to the private room \(name). Accept: \(way). Decline: /msg \(IRCService.nick) forget "
                + "\(name)")
    }

    /// Sent only once in a while: it would be the same for every line.
    private mutating func notKept(_ event: RoomEvent, _ id: ConnectionID, into clients: inout IRCClients) {
        guard let reason = event.reason, mayReportLoss(id, pause: clients.limits.lossPause, at: clients.now) else {
            return
        }
        clients.note(
            aside: id,
            "Your lines are sent to everybody who is connected, but this node cannot store them: \(reason.words)",
            to: event.room.text)
    }
}
