import LatticeAPI
import LatticeCore

// JOIN, PART and NAMES.
extension IRCRooms {
    enum Step: Sendable {
        case entered(RoomName, hasKey: Bool)
        case joined(RoomName)
        case parted(RoomName, reason: String?)
        /// The last lines that were readable before a newer key is taken.
        case lookedBack(RoomName, TypedKey?)
        case tookKey(RoomName, known: Set<RecordID>)
        case members(RoomName)
        case topic(RoomName, IRCTopic.Reason)
        case pinned(RoomName)
    }

    func joins(_ list: String, keys: String, of id: ConnectionID) -> [IRCJob] {
        if list == "0" { return rooms(of: id).map { .part($0.text, reason: nil) } }
        let keys = keys.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let names = IRCText.items(list)
        return names.enumerated().map { number, name in
            .join(name, key: number < keys.count && !Self.isFiller(keys[number], of: names.count) ? keys[number] : nil)
        }
    }

    /// Whether an item in a list of keys means "no key": an empty one, or the "x" that irssi writes. For a single
    /// channel "x" is a key: joining the public room in place of a private one would show everybody what is meant for a
    /// few.
    private static func isFiller(_ key: String, of count: Int) -> Bool { key.isEmpty || key == "x" && count > 1 }

    mutating func join(
        _ name: String, key: String?, of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) -> Verdict? {
        guard IRCChannel.isOne(name) else {
            let example = "A room's name begins with #, such as #lobby"
            clients.numeric(id, .noSuchChannel, [IRCText.named(name)], trailing: example)
            return nil
        }
        guard let channel = clients.channel(name, of: id) else { return nil }
        guard case .room(let room) = channel else { return joinOwn(channel, id, people, into: &clients) }
        guard !isIn(channel, id) else {
            enterAgain(room, key, id, into: &clients)
            return nil
        }
        let channelsMax = clients.limits.channelsMax
        guard rooms(of: id).count < channelsMax else {
            clients.numeric(
                id, .tooManyChannels, [room.text],
                trailing: "You are in \(channelsMax) rooms, the most there can be; PART one first")
            return nil
        }
        // Enters the private room if its key is here or was typed, else the public one.
        clients.ask(
            id, .room(.enter(room, key: key.map { TypedKey($0) })), then: .rooms(.entered(room, hasKey: key != nil)))
        return nil
    }

    private mutating func joinOwn(
        _ channel: IRCChannel, _ id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) -> Verdict? {
        guard !isIn(channel, id), let person = clients[id]?.person.flatMap({ people[$0] }) else { return nil }
        setIn(channel, id, true)
        clients.announceJoin(person, channel.name, to: audience(of: channel), by: id)
        if let topic = channel.fixedTopic { clients.numeric(id, .topic, [channel.name], trailing: topic) }
        showNames(channel.name, of: id, people, into: &clients)
        return channel == .posts ? .joinedPosts : nil
    }

    /// JOIN of a room that the client is already in, with a typed key or one from a newer invitation.
    private func enterAgain(_ room: RoomName, _ key: String?, _ id: ConnectionID, into clients: inout IRCClients) {
        guard isInPrivate(room, id) else {
            let text =
                "You are in the public \(room.text). To enter a private room with this name: PART \(room.text), then JOIN "
                + "\(room.text) KEY"
            if key != nil { clients.note(id, text, to: room.text) }
            return
        }
        clients.ask(
            id, .history(HistoryQuery(room: room, limit: clients.limits.historyLinesMax)),
            then: .rooms(.lookedBack(room, key.map { TypedKey($0) })))
    }

    mutating func part(
        _ name: String, _ reason: String?, of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) {
        guard let channel = clients.channel(name, of: id) else { return }
        guard isIn(channel, id) else { return clients.isOutside(IRCText.named(name), id) }
        guard case .room(let room) = channel else {
            return parted(channel, name, reason, id, people, into: &clients)
        }
        clients.ask(id, .part(room), then: .rooms(.parted(room, reason: reason)))
    }

    mutating func answered(
        _ step: Step, _ outcome: IRCOutcome, of id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) -> Verdict? {
        switch step {
        case .entered(let room, let hasKey):
            return entered(room, hasKey: hasKey, outcome, id, into: &clients)
        case .joined(let room):
            guard case .failure(let error) = outcome else { return .joined(room, nil) }
            Self.refuse(room, error, id, into: &clients)
        case .parted(let room, let reason):
            parted(.room(room), room.text, reason, id, people, into: &clients)
        case .lookedBack(let room, let key):
            var known: Set<RecordID> = []
            if case .success(.answer(.history(let page))) = outcome { known = Set(page.lines.map(\.record)) }
            clients.ask(id, .room(.enter(room, key: key)), then: .rooms(.tookKey(room, known: known)))
        case .tookKey(let room, let known):
            return tookKey(room, known, outcome, id, people, into: &clients)
        case .members(let room):
            if case .success(.answer(.room(.members(let members)))) = outcome {
                refresh(room, members, id, people, into: &clients)
            }
            showNames(room.text, of: id, people, into: &clients)
        case .topic(let room, let reason): showTopic(of: room, reason, outcome, id, people, into: &clients)
        case .pinned(let room): pinned(in: room, outcome, id, into: &clients)
        }
        return nil
    }

    private func entered(
        _ room: RoomName, hasKey: Bool, _ outcome: IRCOutcome, _ id: ConnectionID, into clients: inout IRCClients
    ) -> Verdict? {
        switch outcome {
        case .success(.answer(.room(.entered(let members?)))): return .joined(room, members)
        // Somebody who may be invited to a private room must not enter the public one by mistake; #lobby is always
        // public.
        case .failure(let error) where hasKey || room.text != "#lobby":
            Self.refuse(room, error, id, into: &clients)
        case .success, .failure: clients.ask(id, .join(room), then: .rooms(.joined(room)))
        }
        return nil
    }

    private mutating func tookKey(
        _ room: RoomName, _ known: Set<RecordID>, _ outcome: IRCOutcome, _ id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) -> Verdict? {
        switch outcome {
        case .success(.answer(.room(.entered(let members?)))):
            refresh(room, members, id, people, into: &clients)
            if tookKey(of: room, id) {
                clients.note(id, "You have the current key of \(room.text) now.", to: room.text)
            }
            return .tookKey(room, known: known)
        case .failure(let error): Self.refuse(room, error, id, into: &clients)
        case .success: break
        }
        return nil
    }

    private static func refuse(
        _ room: RoomName, _ error: RequestError, _ id: ConnectionID, into clients: inout IRCClients
    ) {
        switch error.code {
        case .wrongKey, .invalid:
            clients.refuse(id, .badChannelKey, room.text, "Cannot join: the key is wrong (+k)", error)
        case .tooManyRooms: clients.refuse(id, .tooManyChannels, room.text, "You are in too many rooms", error)
        default: clients.refuse(id, .unavailable, room.text, "Cannot join right now", error)
        }
    }

    /// A client is in a room; everybody in it sees the JOIN.
    ///
    /// - Parameter closed: the members of a private room; `nil` for a public one.
    mutating func joined(
        _ room: RoomName, _ closed: [RoomMember]?, _ person: IRCPerson, _ id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) {
        if let closed {
            take(closed, of: room, id) { people[$0] != nil }
        } else {
            enter(room, person.id, id)
        }
        clients.announceJoin(person, room.text, to: closed == nil ? audiences[room] ?? [] : [id], by: id)
    }

    /// The names in a room just joined, and what the client should know about it.
    mutating func welcome(
        to room: RoomName, _ closed: [RoomMember]?, _ person: IRCPerson, _ id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) {
        showNames(room.text, of: id, people, into: &clients)
        reportNamesake(room, person.id, id, into: &clients)
        guard let closed, closed.allSatisfy({ $0.id == person.id }) else { return }
        // Somebody who is alone in a private room may have mistyped its key.
        clients.note(
            id,
            "You are alone in \(room.text), as far as this node knows. If others should be here, check the key: "
                + "/msg \(IRCService.nick) forget \(room.text), then JOIN \(room.text) KEY",
            to: room.text)
    }

    /// Warns that this is the public room: the client declined or left a private room of the same name.
    private mutating func reportNamesake(
        _ room: RoomName, _ person: PeerID, _ id: ConnectionID, into clients: inout IRCClients
    ) {
        guard hasForgotten(room, person) else { return }
        guard !isInPrivate(room, id) else { return isBack(in: room, person) }
        clients.note(
            id,
            "\(room.text) here is the public room, which everybody in the mesh reads. You declined or left the private room "
                + "with this name.", to: room.text)
    }

    mutating func parted(
        _ channel: IRCChannel, _ name: String, _ reason: String?, _ id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) {
        guard let person = clients[id]?.person.flatMap({ people[$0] }) else { return }
        let line = clients.line(of: id, "PART", [name], trailing: reason.map(DisplayText.safe))
        guard case .room(let room) = channel else {
            clients.spread(line, of: id, to: audience(of: channel))
            return setIn(channel, id, false)
        }
        let isClosed = isInPrivate(room, id)
        clients.spread(line, of: id, to: isClosed ? [id] : audience(of: channel))
        setIn(channel, id, false)
        if !isClosed { leave(room, person) }
    }
}
