import LatticeAPI
import LatticeCore

// Presence as JOIN, PART, QUIT and NICK.
extension IRCGateway {
    mutating func found(_ peers: [PeerInfo]) {
        for peer in peers where peer.isHere {
            guard let id = peer.id else { continue }
            do throws(NameError) {
                let name = try PeerName(peer.name)
                presence(PresenceChange(id: id, name: name, isHere: true, rooms: peer.rooms, hops: peer.hops ?? 0))
            } catch {
                continue  // A merely announced name may be invalid.
            }
        }
    }

    mutating func presence(_ change: PresenceChange) {
        // The gateway knows its own clients better.
        guard people[change.id]?.connection == nil else { return }
        guard change.isHere else { return left(change.id, isSummedUp: change.isSummedUp) }
        // A short-lived command comes and goes without a line.
        guard !change.isBrief else { return }
        if people[change.id] == nil {
            let nick = IRCNick.made(from: change.name, change.id) { isHeld($0) }
            holders[IRCNick.folded(nick)] = .peer(change.id)
            people[change.id] = IRCPerson(id: change.id, nick: nick, name: change.name, rooms: [], hops: change.hops)
            watched(nick, isHere: true)
            if !change.isSummedUp { status("\(nick) is here.") }
            if let person = people[change.id] { isBack(person) }
        } else if people[change.id]?.name != change.name {
            people[change.id]?.name = change.name
            callOtherwise(change.id)
        }
        people[change.id]?.hops = change.hops
        moved(change.id, to: change.rooms)
    }

    private mutating func moved(_ id: PeerID, to rooms: [RoomName]) {
        guard let person = people[id] else { return }
        for room in person.rooms where !rooms.contains(room) {
            spread(line(from: person, "PART", [room.text]), to: audiences[room] ?? [])
            members[room]?.remove(id)
            if members[room]?.isEmpty == true { members[room] = nil }
        }
        people[id]?.rooms = rooms
        for room in rooms where !person.rooms.contains(room) {
            members[room, default: []].insert(id)
            tellOfJoin(person, room.text, to: audiences[room] ?? [], by: nil)
        }
    }

    /// Somebody on another node left.
    private mutating func left(_ id: PeerID, isSummedUp: Bool) {
        guard let person = people[id] else { return }
        spread(line(from: person, "QUIT", trailing: "Left the mesh"), to: witnesses(of: id))
        letGo(of: person.nick, .peer(id))
        forget(person)
        if !isSummedUp { status("\(person.nick) has left.") }
    }

    /// A client of this gateway left.
    mutating func quit(_ id: PeerID, _ connection: IRCConnection, _ reason: String) {
        want(.leave(connection.id))
        guard let person = people[id] else { return }
        for room in connection.rooms.keys { audiences[room]?.removeAll { $0 == connection.id } }
        spread(line(from: person, "QUIT", trailing: reason), to: witnesses(of: id))
        forget(person)
        if let nick = connection.nick { letGo(of: nick, .connection(connection.id)) }
    }

    /// Remembers people for WHOWAS, and for private messages to their last nick.
    mutating func remember(_ person: IRCPerson) {
        gone.removeAll { $0.id == person.id && $0.nick == person.nick }
        gone.append(IRCGone(id: person.id, nick: person.nick, user: user(person), realName: realName(person), at: date))
        if gone.count > limits.goneMax { gone.removeFirst(gone.count - limits.goneMax) }
    }

    private mutating func forget(_ person: IRCPerson) {
        remember(person)
        for room in person.rooms { leave(room, person.id) }
        for id in Array(connections.keys) {
            for (room, membership) in connections[id]?.rooms ?? [:]
            where membership.members?.contains(person.id) == true {
                connections[id]?.rooms[room]?.members?.remove(person.id)
                expect(person.id, in: room, id)
            }
        }
        people[person.id] = nil
        holders[IRCNick.folded(person.nick)] = nil
        watched(person.nick, isHere: false)
    }

    /// Assigns a free nick to somebody on another node.
    mutating func callOtherwise(_ id: PeerID) {
        guard let person = people[id] else { return }
        letGo(of: person.nick, .peer(id))
        let nick = IRCNick.made(from: person.name, id) { isHeld($0) }
        holders[IRCNick.folded(nick)] = .peer(id)
        guard nick != person.nick else { return }
        var line = IRCLine(source: mask(person), "NICK", [], trailing: nick)
        line.time = date
        tellOfNick(id, old: person.nick, line, nil)
        people[id]?.nick = nick
        watched(nick, isHere: true)
    }

    /// Nicks are unique on this gateway, but names are not unique in the mesh.
    mutating func tellOfNamesake(_ id: ConnectionID) {
        guard let connection = connections[id], let nick = connection.nick else { return }
        let folded = IRCNick.folded(nick)
        let namesakes = people.values.filter {
            $0.id != connection.person && IRCNick.folded($0.name.text) == folded
        }
        guard let namesake = namesakes.min(by: { $0.id < $1.id }) else { return }
        note(
            id,
            "Somebody else in the mesh is also called \(nick). Here they are \(namesake.nick); others tell you apart by "
                + "your short ids.")
    }

    /// Notifies clients that see the person, and partners of private messages, whose windows have the nick as their
    /// name.
    mutating func tellOfNick(_ id: PeerID, old: String, _ line: IRCLine, _ own: ConnectionID?) {
        let partners = connections.values.filter { $0.isRegistered && $0.partners.contains(id) }.map(\.id)
        var told = Set(witnesses(of: id) + partners)
        if let own { told.insert(own) }
        if let own { spread(line, of: own, to: told.sorted()) } else { spread(line, to: told.sorted()) }
        watched(old, isHere: false)
    }

    /// Connections that share a channel with somebody, without their own.
    func witnesses(of id: PeerID) -> [ConnectionID] {
        guard let person = people[id] else { return [] }
        var ids: Set<ConnectionID> = []
        for room in person.rooms { ids.formUnion(audiences[room] ?? []) }
        for connection in connections.values {
            if connection.rooms.values.contains(where: { $0.members?.contains(id) == true }) {
                ids.insert(connection.id)
            }
        }
        if let own = person.connection {
            if connections[own]?.isInStatus == true { ids.formUnion(audience(of: .status)) }
            if connections[own]?.isInWall == true { ids.formUnion(audience(of: .wall)) }
            ids.remove(own)
        }
        return ids.sorted()
    }

    func neighbours(of id: ConnectionID) -> [ConnectionID] {
        connections[id]?.person.map { witnesses(of: $0) } ?? []
    }
}
