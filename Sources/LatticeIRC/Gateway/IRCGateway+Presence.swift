import LatticeAPI
import LatticeCore

// People who come, go and change their nicks, as all machines see them.
extension IRCGateway {
    mutating func found(_ peers: [PeerInfo]) {
        for peer in peers where peer.isHere {
            guard let id = peer.id else { continue }
            do throws(NameError) {
                let name = try PeerName(peer.name)
                presence(
                    PresenceChange(
                        id: id, name: name, isHere: true, rooms: peer.rooms, hops: peer.hops ?? 0, away: peer.away))
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
        switch people.isHere(change) {
        case .nothing: break
        case .renamed: callOtherwise(change.id)
        case .came: came(change.id, isSummedUp: change.isSummedUp)
        }
        guard let person = people[change.id] else { return }
        rooms.moved(person, to: change.rooms, into: &clients)
        people.isAway(change.id, change.away, rooms, into: &clients)
    }

    private mutating func came(_ id: PeerID, isSummedUp: Bool) {
        guard let person = people[id] else { return }
        monitor.changed(person.nick, isHere: true, people, into: &clients)
        if !isSummedUp { status("\(person.nick) is here.") }
        rooms.isBack(person, people, into: &clients)
    }

    /// Somebody on another node left.
    private mutating func left(_ id: PeerID, isSummedUp: Bool) {
        guard let person = people[id] else { return }
        left(person, "Left the mesh")
        if !isSummedUp { status("\(person.nick) has left.") }
    }

    /// A client of this gateway left.
    mutating func quit(_ id: PeerID, _ connection: ConnectionID, _ reason: String) {
        clients.want(.leave(connection))
        if let person = people[id] { left(person, reason) }
    }

    private mutating func left(_ person: IRCPerson, _ reason: String) {
        clients.spread(clients.line(from: person, "QUIT", trailing: reason), to: rooms.witnesses(of: person))
        people.left(person, clients)
        rooms.left(person)
        monitor.changed(person.nick, isHere: false, people, into: &clients)
    }

    /// Assigns a free nick to somebody on another node.
    mutating func callOtherwise(_ id: PeerID) {
        guard let person = people[id] else { return }
        let nick = people.newNick(for: person)
        guard nick != person.nick else { return }
        var line = IRCLine(source: clients.mask(person), "NICK", [], trailing: nick)
        line.time = clients.date
        announceNick(person, line)
        people.call(id, nick)
        monitor.changed(nick, isHere: true, people, into: &clients)
    }

    /// Assigns a nick to a client. A peer of another node that has it gets another one here.
    mutating func hold(_ nick: String, _ id: ConnectionID) {
        if let displaced = people.hold(nick, id, &clients) { callOtherwise(displaced) }
    }

    mutating func renamed(_ id: ConnectionID, to nick: String) {
        guard let person = clients[id]?.person.flatMap({ people[$0] }) else { return }
        // Another client may have taken it while the node was asked.
        guard people.otherClient(holding: nick, than: id) == nil else {
            return people.inUse(id, nick, into: &clients)
        }
        let line = IRCLine(source: clients.mask(id), "NICK", [], trailing: nick)
        // A peer with that nick is renamed first, so that nobody sees the nick twice.
        hold(nick, id)
        announceNick(person, line)
        people.call(person.id, nick, name: IRCNick.name(nick))
        people.reportNamesake(id, into: &clients)
        monitor.changed(nick, isHere: true, people, into: &clients)
    }

    /// Notifies clients that see the person, and partners of private messages, whose windows have the nick as their
    /// name.
    private mutating func announceNick(_ person: IRCPerson, _ line: IRCLine) {
        var seeing = Set(rooms.witnesses(of: person) + people.partners(of: person.id))
        if let own = person.connection {
            seeing.insert(own)
            clients.spread(line, of: own, to: seeing.sorted())
        } else {
            clients.spread(line, to: seeing.sorted())
        }
        monitor.changed(person.nick, isHere: false, people, into: &clients)
    }
}
