import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

/// Which rooms are private here: nothing for them goes out in clear, not even their names.
struct RoomPrivacy: Sendable {
    /// `nil` if it is not known, as the store cannot be read.
    private(set) var names: Set<RoomName>?
    /// Forgotten since this node began, and not entered again: a front may not know yet.
    private var forgotten: Set<RoomName> = []

    init(_ names: Set<RoomName>?) {
        self.names = names
    }

    static func found(in configuration: NodeConfiguration) async -> RoomPrivacy {
        guard let wall = configuration.wall else { return RoomPrivacy(configuration.isStoreClosed ? nil : []) }
        return await found(in: wall.store)
    }

    /// - Parameter store: of whom it is about.
    static func found(in store: Store) async -> RoomPrivacy {
        do {
            return RoomPrivacy(Set(try await store.privateRooms()))
        } catch {
            return RoomPrivacy(nil)
        }
    }

    func isPrivate(_ room: RoomName) -> Bool { names?.contains(room) ?? false }

    /// Whether it may be told who is there and what is said.
    func isPublic(_ room: RoomName) -> Bool {
        guard let names else { return room.text == "#lobby" }
        return !names.contains(room) && !forgotten.contains(room)
    }

    /// - Throws: where it is not known whether something may go out.
    func check(_ room: RoomName) throws(RequestError) {
        guard names == nil, room.text != "#lobby" else { return }
        throw RequestError(
            .storeFailed,
            "only #lobby is open: the store cannot be read, and so I don't know which rooms are private; "
                + "run 'lattice store check'")
    }

    /// - Throws: where a line is meant for others than those who would read it.
    func check(_ audience: Audience?, in room: RoomName) throws(RequestError) {
        let shown = DisplayText.isolated(room.text)
        switch audience {
        case .everybody where isPrivate(room):
            throw RequestError(
                .otherAudience, "not sent: \(shown) is private now; send it again if its members may read it")
        case .members where !isPrivate(room):
            throw RequestError(
                .otherAudience,
                "not sent: \(shown) is no longer private; send it again if everybody may read it")
        case .everybody, .members, nil: return
        }
    }

    /// Said by whoever comes in through the door of everybody.
    mutating func entered(_ room: RoomName) {
        forgotten.remove(room)
    }

    mutating func held(_ room: RoomName) {
        names?.insert(room)
        forgotten.remove(room)
    }

    mutating func forget(_ room: RoomName) {
        if names?.remove(room) != nil { forgotten.insert(room) }
    }

    /// It could not be entered: it is what the store says.
    mutating func failed(_ room: RoomName, wasForgotten: Bool, _ found: RoomPrivacy) {
        names = found.names
        if wasForgotten { forgotten.insert(room) }
    }

    func isForgotten(_ room: RoomName) -> Bool { forgotten.contains(room) }
}

// Rooms that everybody may read.
extension Node {
    func join(_ room: RoomName) throws(RequestError) {
        try privacy.check(room)
        privacy.entered(room)
        guard !rooms.contains(room) else { return rememberRooms(entered: room) }
        guard Presence.fits(name, rooms + [room]) else {
            throw RequestError(
                .tooManyRooms,
                "you are in \(Presence.roomsMax) rooms, the most there can be; leave one first: /part #room")
        }
        rooms.append(room)
        rememberRooms(entered: room)
        presenceChanged()
        tellMe()
    }

    func part(_ room: RoomName) {
        rooms.removeAll { $0 == room }
        rememberRooms()
        presenceChanged()
        tellMe()
    }
}

// Private rooms.
extension Node {
    private static let toldMax = 1_024

    /// Names of private rooms stand in the store alone.
    func rememberRooms(entered: RoomName? = nil) {
        do {
            try roomMemory.note(rooms.filter(privacy.isPublic), entered: entered)
        } catch {
            // They can be joined again, and a full disk is reported elsewhere.
            logger.debug("cannot remember the joined rooms", metadata: ["error": "\(error)"])
        }
    }

    func forget(_ room: RoomName, on wall: Wall) async throws(RequestError) {
        try await wall.rooms.forget(room, as: name, at: clock.now)
        rooms.removeAll { $0 == room }
        privacy.forget(room)
        rememberRooms()
        tellMe()
        await mailWritten(on: wall)
    }

    /// - Returns: its members; `nil` if there is no such room.
    func enter(_ room: RoomName, _ key: TypedKey?, on wall: Wall) async throws(RequestError) -> [RoomMember]? {
        let desk = wall.rooms
        let isInvited = try await !desk.offers(of: room).isEmpty
        guard key != nil || isInvited || privacy.isPrivate(room) else { return nil }
        let wasForgotten = privacy.isForgotten(room)
        // Before the key is here: what another front says there meanwhile is refused, and does not go out.
        privacy.held(room)
        do throws(RequestError) {
            if try await desk.enter(room, key, as: name, at: clock.now, unheard: unheard) != nil {
                return try await entered(room, on: wall)
            }
        } catch {
            privacy.failed(room, wasForgotten: wasForgotten, await RoomPrivacy.found(in: configuration))
            throw error
        }
        privacy.failed(room, wasForgotten: wasForgotten, await RoomPrivacy.found(in: configuration))
        return nil
    }

    /// From here on all that is said there is sealed.
    func entered(_ room: RoomName, on wall: Wall) async throws(RequestError) -> [RoomMember] {
        privacy.held(room)
        if !rooms.contains(room) { rooms.append(room) }
        rememberRooms()
        // Whoever was in the public one of that name is there no more.
        presenceChanged()
        tellMe()
        await mailWritten(on: wall)
        mailInput.yield()
        return try await members(of: room, wall.rooms)
    }

    func members(of room: RoomName, _ desk: RoomDesk) async throws(RequestError) -> [RoomMember] {
        let here = Set(mesh.peers().filter(\.isHere).compactMap(\.peer)).union([mesh.me])
        return try await desk.members(of: room).map { member in
            let state: RoomMember.State =
                member.state == .invited ? .invited : here.contains(member.peer) ? .here : .away
            return RoomMember(
                id: member.peer, name: member.peer == mesh.me ? name : RoomDesk.name(member.name), state: state)
        }
    }

    func sayPrivately(_ speech: SpokenText, in room: RoomName) async throws(RequestError) -> Answer {
        guard let wall else { throw .noStore }
        let message = try await wall.rooms.say(speech, in: room, as: name, at: clock.now)
        tell(.message(message))
        await mailWritten(on: wall)
        return .said(message.record, isWaiting: mesh.connectedCount == 0, at: message.at)
    }

    /// One pass each time that something came that may concern rooms.
    func tendRooms(of wall: Wall) async throws(StoreError) {
        let desk = wall.rooms
        var news: [RoomNews] = []
        if !hasToldInvitations {
            news = try await desk.pending(unheard: unheard)
            hasToldInvitations = true
        }
        news += try await desk.judge(at: clock.now, unheard: unheard)
        while !Task.isCancelled {
            let opened = try await desk.openNext(at: clock.now)
            for line in opened.lines where rooms.contains(line.room) { tell(.message(line)) }
            news += opened.news
            if !opened.hasMore { break }
        }
        for one in news { tell(one) }
    }

    private var unheard: Set<PeerID> { Set(standing.ignored).union(standing.blocked) }

    private func tell(_ news: RoomNews) {
        if case .oldKey(let room, let peer) = news, !isFirst("\(room) \(peer)") { return }
        tellOwner(.notice(Notice(.information, code: news.code, news.text { self.shown($0, $1) })))
    }

    /// - Parameter name: as somebody told.
    private func shown(_ peer: PeerID, _ name: String?) -> String {
        if peer == mesh.me { return "you" }
        let known = name ?? mesh.peers().first { $0.peer == peer }?.name
        return "\(known.map(DisplayText.isolated) ?? "")#\(peer.short)"
    }

    /// Whether something of strangers, named so, was not told yet.
    func isFirst(_ told: String) -> Bool {
        strangersTold.count < Self.toldMax && strangersTold.insert(told).inserted
    }

    /// What strangers say in a public room of that name is not shown under it.
    func tellOfNamesake(_ room: RoomName) {
        guard privacy.isPrivate(room), isFirst(room.text) else { return }
        let text =
            "there is also a public room \(DisplayText.isolated(room.text)); you do not see it while "
            + "you are in the private one"
        tellOwner(.notice(Notice(.information, code: "roomNamesake", text)))
    }
}

extension RoomNews {
    /// For programs.
    var code: String {
        switch self {
        case .came, .left, .invited: "roomMember"
        case .removed: "roomKey"
        case .invitation: "roomInvitation"
        case .oldKey: "roomOldKey"
        }
    }

    /// - Parameter shown: safe to be shown.
    func text(_ shown: (PeerID, String?) -> String) -> String {
        func safe(_ room: RoomName) -> String { DisplayText.isolated(room.text) }
        switch self {
        case .came(let room, let peer, let name): return "\(shown(peer, name)) joined \(safe(room))"
        case .left(let room, let peer, let name): return "\(shown(peer, name)) left \(safe(room)) for good"
        case .invited(let room, let peer, let name, let by):
            return "\(shown(by, nil)) invited \(shown(peer, name)) to \(safe(room))"
        case .removed(let room, let peers, let by):
            let names = peers.map { shown($0, nil) }.joined(separator: ", ")
            let who = names.isEmpty ? "changed the key of \(safe(room))" : "removed \(names) from \(safe(room))"
            return "\(shown(by, nil)) \(who); new lines use a new key"
        case .invitation(let room, let by):
            return "\(shown(by, nil)) invites you to the private room \(safe(room)): /join \(safe(room)) accepts, "
                + "/forget \(safe(room)) declines"
        case .oldKey(let room, let peer):
            return "\(shown(peer, nil)) uses an old key of \(safe(room)) and cannot read new lines; "
                + "/invite sends the current key"
        }
    }
}
