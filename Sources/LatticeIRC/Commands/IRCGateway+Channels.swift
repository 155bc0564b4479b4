import LatticeAPI
import LatticeCore

/// What the name of a channel stands for.
enum IRCChannel: Equatable {
    case room(RoomName)
    /// `&mesh`: events of the mesh.
    case status
    /// `#wall`: posts near this node.
    case wall

    static let statusName = "&mesh"
    static let wallName = "#wall"

    /// - Throws: `NameError` if the name is invalid.
    init(_ text: String) throws(NameError) {
        let folded = IRCNick.folded(text)
        guard folded != Self.statusName else {
            self = .status
            return
        }
        guard folded != Self.wallName else {
            self = .wall
            return
        }
        self = .room(try RoomName(text))
    }

    init?(named text: String) {
        do {
            self = try IRCChannel(text)
        } catch {
            return nil
        }
    }

    static func isOne(_ text: String) -> Bool { text.first == "#" || text.first == "&" }
}

extension IRCGateway {
    mutating func aboutChannels(_ command: IRCCommand, _ params: [String], of id: ConnectionID) {
        guard let first = params.first, !first.isEmpty else {
            switch command {
            case .list: return list([], of: id)
            case .names: return numeric(id, .namesEnd, ["*"], trailing: "End of /NAMES list")
            default: return missing(id, command.rawValue)
            }
        }
        switch command {
        case .join: join(first, keys: params.count > 1 ? params[1] : "", of: id)
        case .part: part(first, params.count > 1 ? params[1] : nil, of: id)
        case .names:
            each(Self.items(first)[...], of: id) { gateway, name, next in
                gateway.refreshed(name, of: id) { gateway in
                    gateway.names(name, of: id)
                    next(&gateway)
                }
            }
        case .list: list(Self.items(first), of: id)
        case .topic: topic(first, isSet: params.count > 1, of: id)
        case .invite: invite(params, of: id)
        case .kick: kick(params, of: id)
        default: mode(params, of: id)
        }
    }

    /// Splits a list at commas. The length of a line limits the number of items.
    static func items(_ list: String) -> [String] {
        list.split(separator: ",").map(String.init)
    }

    /// - Returns: `nil` if it is not a channel; the client gets an error.
    mutating func channel(_ name: String, of id: ConnectionID) -> IRCChannel? {
        do throws(NameError) {
            return try IRCChannel(name)
        } catch {
            numeric(id, .badChannelMask, [Self.named(name)], trailing: "Not a room name: \(error.description)")
            return nil
        }
    }

    private mutating func join(_ list: String, keys: String, of id: ConnectionID) {
        if list == "0" {
            let rooms = connections[id]?.rooms.keys.sorted() ?? []
            return part(rooms.map(\.text).joined(separator: ","), nil, of: id)
        }
        let keys = keys.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let names = Self.items(list)
        let wishes = names.enumerated().map { number, name in
            (name, number < keys.count && !Self.isFiller(keys[number], of: names.count) ? keys[number] : nil)
        }
        each(wishes[...], of: id) { gateway, wish, next in gateway.join(wish.0, key: wish.1, of: id, then: next) }
    }

    /// Whether an item in a list of keys means "no key": an empty one, or the "x" that irssi writes. For a single
    /// channel "x" is a key: joining the public room in place of a private one would show everybody what is meant for a
    /// few.
    private static func isFiller(_ key: String, of count: Int) -> Bool { key.isEmpty || key == "x" && count > 1 }

    private mutating func join(
        _ name: String, key: String?, of id: ConnectionID, then next: @escaping @Sendable (inout IRCGateway) -> Void
    ) {
        if IRCChannel.isOne(name), let channel = channel(name, of: id) {
            guard case .room(let room) = channel else { return joinOwn(channel, id, then: next) }
            guard let connection = connections[id] else { return next(&self) }
            guard connection.rooms[room] == nil else { return enterAgain(room, key, of: id, then: next) }
            if connection.rooms.count < limits.channelsMax { return enter(room, key, of: id, then: next) }
            numeric(
                id, .tooManyChannels, [room.text],
                trailing: "You are in \(limits.channelsMax) rooms, the most there can be; PART one first")
        } else if !IRCChannel.isOne(name) {
            numeric(id, .noSuchChannel, [Self.named(name)], trailing: "A room's name begins with #, such as #lobby")
        }
        next(&self)
    }

    /// Enters the private room if its key is here or was typed, else the public one.
    private mutating func enter(
        _ room: RoomName, _ key: String?, of id: ConnectionID, then next: @escaping @Sendable (inout IRCGateway) -> Void
    ) {
        ask(id, .perform(.room(.enter(room, key: key.map { TypedKey($0) })))) { gateway, id, outcome in
            switch outcome {
            case .success(.answer(.room(.entered(let members?)))):
                gateway.joined(room, members: members, id)
                gateway.shownPast(room, id, then: next)
            // Somebody who may be invited to a private room must not enter the public one by mistake; #lobby is always
            // public.
            case .failure(let error) where key != nil || room.text != "#lobby":
                gateway.refuse(room, error, id)
                next(&gateway)
            case .success, .failure:
                gateway.ask(id, .perform(.join(room))) { gateway, id, outcome in
                    guard case .failure(let error) = outcome else {
                        gateway.joined(room, members: nil, id)
                        return gateway.shownPast(room, id, then: next)
                    }
                    gateway.refuse(room, error, id)
                    next(&gateway)
                }
            }
        }
    }

    mutating func refuse(_ room: RoomName, _ error: RequestError, _ id: ConnectionID) {
        switch error.code {
        case .wrongKey, .invalid: refuse(id, .badChannelKey, room.text, "Cannot join: the key is wrong (+k)", error)
        case .tooManyRooms: refuse(id, .tooManyChannels, room.text, "You are in too many rooms", error)
        default: refuse(id, .unavailable, room.text, "Cannot join right now", error)
        }
    }

    /// - Parameter closed: the members of a private room; `nil` for a public one.
    private mutating func joined(_ room: RoomName, members closed: [RoomMember]?, _ id: ConnectionID) {
        guard let person = connections[id]?.person.flatMap({ people[$0] }) else { return }
        if let closed {
            take(closed, of: room, id)
        } else {
            connections[id]?.rooms[room] = .init(members: nil)
            members[room, default: []].insert(person.id)
            audiences[room, default: []].append(id)
            people[person.id]?.rooms.append(room)
        }
        tellOfJoin(person, room.text, to: closed == nil ? audiences[room] ?? [] : [id], by: id)
        markOnJoin(room.text, id)
        names(room.text, of: id)
        tellOfNamesake(room, id)
        if let closed, closed.allSatisfy({ $0.id == person.id }) { tellOfEmptiness(room, id) }
    }

    /// Sends a JOIN; clients with extended-join get the extended form.
    mutating func tellOfJoin(_ person: IRCPerson, _ channel: String, to ids: [ConnectionID], by id: ConnectionID?) {
        let plain = line(from: person, "JOIN", [channel])
        var long = plain
        long.params.append(plain.account ?? "*")
        long.trailing = realName(person)
        if let id, ids.contains(id) {
            reply(id, capabilities[id]?.contains(.extendedJoin) == true ? long : plain)
        }
        let others = ids.filter { $0 != id }
        spread(plain, to: lacking(.extendedJoin, others))
        spread(long, to: having(.extendedJoin, others))
        guard let away = person.connection.flatMap({ connections[$0]?.away }) else { return }
        spread(line(from: person, "AWAY", trailing: away), to: having(.awayNotify, others))
    }

    private mutating func joinOwn(
        _ channel: IRCChannel, _ id: ConnectionID, then next: @escaping @Sendable (inout IRCGateway) -> Void
    ) {
        guard let connection = connections[id], let person = connection.person.flatMap({ people[$0] }) else { return }
        let name: String
        switch channel {
        case .status where !connection.isInStatus:
            connections[id]?.isInStatus = true
            name = IRCChannel.statusName
        case .wall where !connection.isInWall:
            connections[id]?.isInWall = true
            name = IRCChannel.wallName
        default: return next(&self)
        }
        tellOfJoin(person, name, to: audience(of: channel), by: id)
        if channel == .status {
            numeric(id, .topic, [name], trailing: "Who comes and goes, and problems. Type help here")
        } else {
            numeric(id, .topic, [name], trailing: "Posts near this place. What you type here is posted")
        }
        names(name, of: id)
        if channel == .wall { showWall(id, then: next) } else { next(&self) }
    }

    func audience(of channel: IRCChannel) -> [ConnectionID] {
        switch channel {
        case .room(let room): audiences[room] ?? []
        case .status: connections.values.filter(\.isInStatus).map(\.id).sorted()
        case .wall: connections.values.filter(\.isInWall).map(\.id).sorted()
        }
    }

    private mutating func part(_ list: String, _ reason: String?, of id: ConnectionID) {
        each(Self.items(list)[...], of: id) { gateway, name, next in
            guard let channel = gateway.channel(name, of: id) else { return next(&gateway) }
            guard gateway.isIn(channel, id) else {
                gateway.numeric(id, .notOnChannel, [IRCGateway.named(name)], trailing: "You are not in this room")
                return next(&gateway)
            }
            guard case .room(let room) = channel else {
                gateway.parted(channel, name, reason, id)
                return next(&gateway)
            }
            gateway.ask(id, .perform(.part(room))) { gateway, id, _ in
                gateway.parted(channel, room.text, reason, id)
                next(&gateway)
            }
        }
    }

    func isIn(_ channel: IRCChannel, _ id: ConnectionID) -> Bool {
        guard let connection = connections[id] else { return false }
        return switch channel {
        case .room(let room): connection.rooms[room] != nil
        case .status: connection.isInStatus
        case .wall: connection.isInWall
        }
    }

    mutating func parted(_ channel: IRCChannel, _ name: String, _ reason: String?, _ id: ConnectionID) {
        guard let connection = connections[id], let person = connection.person.flatMap({ people[$0] }) else { return }
        let line = line(from: person, "PART", [name], trailing: reason.map(DisplayText.safe))
        switch channel {
        case .status:
            spread(line, of: id, to: audience(of: channel))
            connections[id]?.isInStatus = false
        case .wall:
            spread(line, of: id, to: audience(of: channel))
            connections[id]?.isInWall = false
        case .room(let room):
            let isClosed = connection.rooms[room]?.members != nil
            spread(line, of: id, to: isClosed ? [id] : audience(of: channel))
            connections[id]?.rooms[room] = nil
            if !isClosed { leave(room, person.id) }
        }
    }

    /// Asks the node for the members of a private room; newcomers are shown with a JOIN.
    private mutating func refreshed(
        _ name: String, of id: ConnectionID, then next: @escaping @Sendable (inout IRCGateway) -> Void
    ) {
        guard case .room(let room)? = IRCChannel(named: name), connections[id]?.rooms[room]?.members != nil else {
            return next(&self)
        }
        ask(id, .perform(.room(.members(room)))) { gateway, id, outcome in
            if case .success(.answer(.room(.members(let members)))) = outcome {
                gateway.refreshed(room, members, id)
            }
            next(&gateway)
        }
    }

    mutating func refreshed(_ room: RoomName, _ members: [RoomMember], _ id: ConnectionID) {
        guard let known = connections[id]?.rooms[room]?.members, let own = connections[id]?.person else { return }
        take(members, of: room, id)
        for peer in known.sorted() where connections[id]?.rooms[room]?.members?.contains(peer) == false && peer != own {
            guard let person = people[peer] else { continue }
            write(id, line(from: person, "PART", [room.text], trailing: "Has no current key"))
        }
        for peer in (connections[id]?.rooms[room]?.members ?? []).sorted() where !known.contains(peer) && peer != own {
            if let person = people[peer] { tellOfJoin(person, room.text, to: [id], by: nil) }
        }
    }

    /// Leaves a public room.
    mutating func leave(_ room: RoomName, _ person: PeerID) {
        members[room]?.remove(person)
        if members[room]?.isEmpty == true { members[room] = nil }
        people[person]?.rooms.removeAll { $0 == room }
        guard let id = people[person]?.connection else { return }
        audiences[room]?.removeAll { $0 == id }
        if audiences[room]?.isEmpty == true { audiences[room] = nil }
    }
}
