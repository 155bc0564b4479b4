import LatticeAPI
import LatticeCore

/// Who is in which room: people in public rooms, and clients in all rooms and in the two channels of the gateway.
struct IRCRooms {
    /// A client's place in a room.
    struct Membership {
        /// `nil` for a public room; else the known members who are in the mesh.
        var members: Set<PeerID>?
        /// Members of a private room who are not in the mesh.
        var absent: Set<PeerID> = []
    }

    private struct Seat {
        var rooms: [RoomName: Membership] = [:]
        /// Private rooms for which an invitation brought a newer key that was not accepted.
        var invitedAgain: Set<RoomName> = []
        var isInStatus = false
        var isInPosts = false
        /// When it was last notified that its lines are not stored.
        var reportedLossAt: Instant?
        /// The topic of each room that was last shown to the client.
        var topics: [RoomName: IRCTopic] = [:]
    }

    /// What others than this machine have to do.
    enum Verdict {
        /// A client is in a room. With the members of a private one.
        case joined(RoomName, [RoomMember]?)
        case joinedPosts
        /// A client took a newer key of a private room. With the lines it could read before.
        case tookKey(RoomName, known: Set<RecordID>)
    }

    /// Limit on people whose declined and left private rooms are remembered.
    private static let forgottenMax = 1_000

    private var seats: [ConnectionID: Seat] = [:]
    /// Members of public rooms, on other nodes and on this gateway.
    private var members: [RoomName: Set<PeerID>] = [:]
    /// The same by person, in the order they joined.
    private var places: [PeerID: [RoomName]] = [:]
    /// Connections in each public room, in the order they joined.
    private(set) var audiences: [RoomName: [ConnectionID]] = [:]
    /// Members of clients' private rooms who are not in the mesh.
    private var awaited: Set<PeerID> = []
    /// Private rooms that people on this gateway declined or left for good since it started.
    private var forgotten: [PeerID: Set<RoomName>] = [:]
    private var late: [RoomName: IRCLateLines] = [:]

    // MARK: - Reading

    func isIn(_ channel: IRCChannel, _ id: ConnectionID) -> Bool {
        guard let seat = seats[id] else { return false }
        return switch channel {
        case .room(let room): seat.rooms[room] != nil
        case .status: seat.isInStatus
        case .posts: seat.isInPosts
        }
    }

    func rooms(of id: ConnectionID) -> [RoomName] { seats[id]?.rooms.keys.sorted() ?? [] }

    /// The members of a private room that the client is in, as far as they are in the mesh.
    func closed(_ room: RoomName, _ id: ConnectionID) -> Set<PeerID>? { seats[id]?.rooms[room]?.members }

    func isInPrivate(_ room: RoomName, _ id: ConnectionID) -> Bool { closed(room, id) != nil }

    /// The private rooms that a client shares with somebody.
    func privateRooms(of id: ConnectionID, with person: PeerID) -> [RoomName] {
        seats[id]?.rooms.filter { $0.value.members?.contains(person) == true }.keys.map(\.self) ?? []
    }

    /// In the order they joined.
    func publicRooms(of person: PeerID) -> [RoomName] { places[person] ?? [] }

    func isMember(_ person: PeerID, of room: RoomName) -> Bool { members[room]?.contains(person) == true }

    /// Whether nobody else is in a public room.
    func isAlone(_ person: PeerID, in room: RoomName) -> Bool { members[room] == [person] }

    /// Public rooms with the number of people in them.
    var counts: [(room: RoomName, count: Int)] { members.map { ($0.key, $0.value.count) } }

    func audience(of channel: IRCChannel) -> [ConnectionID] {
        switch channel {
        case .room(let room): audiences[room] ?? []
        case .status: seats.filter(\.value.isInStatus).keys.sorted()
        case .posts: seats.filter(\.value.isInPosts).keys.sorted()
        }
    }

    /// Members sorted by nick; those of a private room only for its members.
    func occupants(
        _ channel: IRCChannel, for id: ConnectionID, _ people: IRCPeople, _ clients: IRCClients
    ) -> [IRCPerson] {
        let ids: Set<PeerID>
        switch channel {
        case .room(let room):
            if let closed = closed(room, id) {
                ids = closed.union(clients[id]?.person.map { [$0] } ?? [])
            } else {
                ids = members[room] ?? []
            }
        case .status, .posts: ids = Set(audience(of: channel).compactMap { clients[$0]?.person })
        }
        return ids.compactMap { people[$0] }.sorted { $0.nick.utf8.lexicographicallyPrecedes($1.nick.utf8) }
    }

    /// Connections that share a channel with somebody, without their own.
    func witnesses(of person: IRCPerson) -> [ConnectionID] {
        var ids: Set<ConnectionID> = []
        for room in publicRooms(of: person.id) { ids.formUnion(audiences[room] ?? []) }
        for (id, seat) in seats where seat.rooms.values.contains(where: { $0.members?.contains(person.id) == true }) {
            ids.insert(id)
        }
        if let own = person.connection {
            if isIn(.status, own) { ids.formUnion(audience(of: .status)) }
            if isIn(.posts, own) { ids.formUnion(audience(of: .posts)) }
            ids.remove(own)
        }
        return ids.sorted()
    }

    /// The members of a private room who are on this gateway and see each other there.
    func seats(in room: RoomName, of id: ConnectionID, with members: [PeerID]) -> [ConnectionID] {
        seats.filter { other, seat in
            guard let closed = seat.rooms[room]?.members else { return false }
            return other == id || closed.isSuperset(of: members)
        }.keys.sorted()
    }

    func topic(of room: RoomName, for id: ConnectionID) -> IRCTopic? { seats[id]?.topics[room] }

    mutating func set(_ topic: IRCTopic?, of room: RoomName, for id: ConnectionID) {
        seats[id]?.topics[room] = topic
    }

    // MARK: - Coming and going

    /// Somebody on another node is in these public rooms now.
    mutating func moved(_ person: IRCPerson, to rooms: [RoomName], into clients: inout IRCClients) {
        let before = publicRooms(of: person.id)
        for room in before where !rooms.contains(room) {
            clients.spread(clients.line(from: person, "PART", [room.text]), to: audiences[room] ?? [])
            leave(room, person)
        }
        places[person.id] = rooms.isEmpty ? nil : rooms
        for room in rooms where !before.contains(room) {
            members[room, default: []].insert(person.id)
            clients.announceJoin(person, room.text, to: audiences[room] ?? [], by: nil)
        }
    }

    mutating func leave(_ room: RoomName, _ person: IRCPerson) {
        members[room]?.remove(person.id)
        if members[room]?.isEmpty == true { members[room] = nil }
        places[person.id]?.removeAll { $0 == room }
        guard let id = person.connection else { return }
        audiences[room]?.removeAll { $0 == id }
        if audiences[room]?.isEmpty == true { audiences[room] = nil }
    }

    /// Somebody left the mesh. In private rooms they are awaited.
    mutating func left(_ person: IRCPerson) {
        leavePublic(person)
        for (id, seat) in seats {
            for (room, membership) in seat.rooms where membership.members?.contains(person.id) == true {
                seats[id]?.rooms[room]?.members?.remove(person.id)
                expect(person.id, in: room, id)
            }
        }
    }

    mutating func leavePublic(_ person: IRCPerson) {
        for room in publicRooms(of: person.id) { leave(room, person) }
        places[person.id] = nil
    }

    mutating func ended(_ id: ConnectionID) {
        for room in seats[id]?.rooms.keys.map(\.self) ?? [] {
            audiences[room]?.removeAll { $0 == id }
            if audiences[room]?.isEmpty == true { audiences[room] = nil }
        }
        seats[id] = nil
    }

    mutating func enter(_ room: RoomName, _ person: PeerID, _ id: ConnectionID) {
        seats[id, default: Seat()].rooms[room] = Membership(members: nil)
        members[room, default: []].insert(person)
        audiences[room, default: []].append(id)
        places[person, default: []].append(room)
    }

    /// A client is in one of the gateway's channels, or in it no more.
    mutating func setIn(_ channel: IRCChannel, _ id: ConnectionID, _ isIn: Bool) {
        switch channel {
        case .status: seats[id, default: Seat()].isInStatus = isIn
        case .posts: seats[id, default: Seat()].isInPosts = isIn
        case .room(let room):
            guard !isIn else { return }
            seats[id]?.rooms[room] = nil
            seats[id]?.topics[room] = nil
        }
    }

    // MARK: - Members of private rooms

    /// Takes over the members of a private room from the node's reply.
    ///
    /// - Parameter isThere: whether somebody is in the mesh.
    mutating func take(_ all: [RoomMember], of room: RoomName, _ id: ConnectionID, isThere: (PeerID) -> Bool) {
        let inside = all.filter { $0.state != .invited }.map(\.id)
        seats[id, default: Seat()].rooms[room] = Membership(members: Set(inside.filter(isThere)))
        for peer in inside where !isThere(peer) { expect(peer, in: room, id) }
    }

    mutating func expect(_ peer: PeerID, in room: RoomName, _ id: ConnectionID) {
        seats[id]?.rooms[room]?.absent.insert(peer)
        awaited.insert(peer)
    }

    /// Somebody whom a client shares a private room with is in the mesh.
    mutating func show(_ peer: PeerID, in room: RoomName, _ id: ConnectionID) {
        seats[id]?.rooms[room]?.absent.remove(peer)
        seats[id]?.rooms[room]?.members?.insert(peer)
    }

    /// Does not show somebody any longer. They may still be awaited.
    mutating func forget(_ peer: PeerID, in room: RoomName, _ id: ConnectionID) {
        seats[id]?.rooms[room]?.members?.remove(peer)
    }

    /// - Returns: whether the room showed the person until now.
    @discardableResult
    mutating func remove(_ peer: PeerID, from room: RoomName, _ id: ConnectionID) -> Bool {
        seats[id]?.rooms[room]?.absent.remove(peer)
        return seats[id]?.rooms[room]?.members?.remove(peer) != nil
    }

    /// Somebody is awaited no more.
    mutating func doNotExpect(_ peer: PeerID, in room: RoomName, _ id: ConnectionID) {
        seats[id]?.rooms[room]?.absent.remove(peer)
    }

    /// Clients whose private rooms await somebody, with these rooms, if anybody does.
    mutating func seatsAwaiting(_ peer: PeerID) -> [(id: ConnectionID, rooms: [RoomName])] {
        guard awaited.remove(peer) != nil else { return [] }
        return seats.keys.sorted().map { id in
            (id, seats[id]?.rooms.filter { $0.value.absent.contains(peer) }.keys.sorted() ?? [])
        }
    }

    /// An invitation brought a newer key.
    mutating func invitedAgain(to room: RoomName, _ id: ConnectionID) { seats[id]?.invitedAgain.insert(room) }

    /// - Returns: whether an invitation had brought a newer key.
    mutating func tookKey(of room: RoomName, _ id: ConnectionID) -> Bool {
        seats[id]?.invitedAgain.remove(room) != nil
    }

    // MARK: - Once in a while

    /// Whether it is time to say that the client's lines are not stored.
    mutating func mayReportLoss(_ id: ConnectionID, pause: Duration, at now: Instant) -> Bool {
        if let time = seats[id]?.reportedLossAt, now < time.advanced(by: pause) { return false }
        seats[id, default: Seat()].reportedLossAt = now
        return true
    }

    mutating func remember(forgotten room: RoomName, by person: PeerID) {
        guard forgotten[person] != nil || forgotten.count < Self.forgottenMax else { return }
        forgotten[person, default: []].insert(room)
    }

    func hasForgotten(_ room: RoomName, _ person: PeerID) -> Bool { forgotten[person]?.contains(room) == true }

    mutating func isBack(in room: RoomName, _ person: PeerID) { forgotten[person]?.remove(room) }

    mutating func showsLate(in room: RoomName, at now: Instant) -> Bool {
        late[room, default: IRCLateLines()].shows(at: now)
    }

    /// Rooms in which late lines have stopped arriving, with the number of those that were not shown.
    mutating func endedLate(at now: Instant) -> [(room: RoomName, hidden: Int)] {
        let ended = late.filter { $0.value.isOver(at: now) }.sorted { $0.key < $1.key }
        for (room, _) in ended { late[room] = nil }
        return ended.map { ($0.key, $0.value.hidden) }
    }
}
