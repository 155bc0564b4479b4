import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

/// Which rooms are private here: nothing for them goes out in clear, not even their names.
struct RoomPrivacy: Sendable {
    /// `nil` if unknown, as the store cannot be read.
    private(set) var names: Set<RoomName>?
    /// Forgotten since this node began and not entered again: a front may not know yet.
    private var forgotten: Set<RoomName> = []

    init(_ names: Set<RoomName>?) {
        self.names = names
    }

    /// - Parameter wall: the persona's; `nil` if nothing is stored.
    static func found(in wall: Wall?, _ configuration: NodeConfiguration) async -> RoomPrivacy {
        guard let wall else { return RoomPrivacy(configuration.isStoreClosed ? nil : []) }
        return await found(in: wall.store)
    }

    /// - Parameter store: the persona's.
    static func found(in store: Store) async -> RoomPrivacy {
        do {
            return RoomPrivacy(Set(try await store.rooms.names()))
        } catch {
            return RoomPrivacy(nil)
        }
    }

    func isPrivate(_ room: RoomName) -> Bool { names?.contains(room) ?? false }

    /// Whether presence and lines of this room may be sent in clear.
    func isPublic(_ room: RoomName) -> Bool {
        guard let names else { return room.text == "#lobby" }
        return !names.contains(room) && !forgotten.contains(room)
    }

    /// - Throws: if it is unknown whether something may go out.
    func check(_ room: RoomName) throws(RequestError) {
        guard names == nil, room.text != "#lobby" else { return }
        throw RequestError(
            .storeFailed,
            "only #lobby is open: the store cannot be read, and so I don't know which rooms are private; "
                + "run 'lattice store check'")
    }

    /// - Throws: if others than the intended audience would read the line.
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

    /// Called when somebody enters a public room.
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

    /// Entering failed: the state is what the store says.
    mutating func failed(_ room: RoomName, wasForgotten: Bool, _ found: RoomPrivacy) {
        names = found.names
        if wasForgotten { forgotten.insert(room) }
    }

    func isForgotten(_ room: RoomName) -> Bool { forgotten.contains(room) }
}

/// Which rooms personas are in: they join and leave public ones, and enter and forget private ones.
///
/// Private rooms are separate for each persona: one may be in a public room while another is in a private room of that name.
final class PersonaRooms {
    private var memory: RoomMemory
    private let clock: NodeClock
    private let logger: Logger

    init(_ rooms: JoinedRooms?, _ clock: NodeClock, _ logger: Logger) {
        memory = RoomMemory(rooms)
        (self.clock, self.logger) = (clock, logger)
    }

    // MARK: Public rooms

    func join(_ room: RoomName, as id: PeerID, for node: isolated Node) throws(RequestError) {
        guard let persona = node.personas[id] else { throw .gone }
        try persona.privacy.check(room)
        node.personas.change(id) { $0.privacy.entered(room) }
        guard !persona.rooms.contains(room) else { return remember(of: id, entered: room, for: node) }
        guard Presence.fits(persona.name, persona.rooms + [room]) else {
            throw RequestError(
                .tooManyRooms,
                "you are in \(Presence.roomsMax) rooms, the most there can be; leave one first: /part #room")
        }
        node.personas.change(id) { $0.rooms.append(room) }
        roomsChanged(of: id, entered: room, for: node)
    }

    func part(_ room: RoomName, as id: PeerID, for node: isolated Node) {
        node.personas.change(id) { $0.rooms.removeAll { $0 == room } }
        roomsChanged(of: id, for: node)
    }

    /// Shows the change to other peers and to the persona's own fronts.
    private func roomsChanged(of id: PeerID, entered: RoomName? = nil, for node: isolated Node) {
        remember(of: id, entered: entered, for: node)
        node.announcer.presenceChanged(of: id, for: node)
        if id == node.personas.owner.id { node.tellMe() }
    }

    /// The owner's public rooms are joined again at the next start. Names of private rooms are only in the store; a visitor's
    /// client joins by itself.
    func remember(of id: PeerID, entered: RoomName? = nil, for node: isolated Node) {
        guard id == node.personas.owner.id else { return }
        do {
            try memory.note(node.personas.owner.publicRooms, entered: entered)
        } catch {
            // They can be joined again, and a full disk is reported elsewhere.
            logger.debug("cannot remember the joined rooms", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Private rooms

    func forget(_ room: RoomName, as persona: Persona, for node: isolated Node) async throws(RequestError) {
        let (wall, id) = (try persona.storedWall(), persona.id)
        try await wall.rooms.forget(room, as: persona.name, at: clock.now)
        node.personas.change(id) {
            $0.rooms.removeAll { $0 == room }
            $0.privacy.forget(room)
        }
        remember(of: id, for: node)
        if persona.isOwner { node.tellMe() }
        await node.wrote(id)
    }

    /// - Returns: its members; `nil` if there is no such room.
    func enter(
        _ room: RoomName, _ key: TypedKey?, as persona: Persona, for node: isolated Node
    ) async throws(RequestError) -> [RoomMember]? {
        let (desk, id) = (try persona.storedWall().rooms, persona.id)
        let isInvited = try await !desk.offers(of: room).isEmpty
        guard let privacy = node.personas[id]?.privacy else { throw .gone }
        guard key != nil || isInvited || privacy.isPrivate(room) else { return nil }
        let wasForgotten = privacy.isForgotten(room)
        // Before the key is here: lines from another front are refused meanwhile instead of going out in clear.
        node.personas.change(id) { $0.privacy.held(room) }
        do throws(RequestError) {
            if try await desk.enter(room, key, as: persona.name, at: clock.now, unheard: unheard(by: id, for: node))
                != nil
            {
                return try await entered(room, as: persona, for: node)
            }
        } catch {
            await enteringFailed(room, wasForgotten, id, desk, for: node)
            throw error
        }
        await enteringFailed(room, wasForgotten, id, desk, for: node)
        return nil
    }

    private func enteringFailed(
        _ room: RoomName, _ wasForgotten: Bool, _ id: PeerID, _ desk: RoomDesk, for node: isolated Node
    ) async {
        let found = await RoomPrivacy.found(in: desk.store)
        node.personas.change(id) { $0.privacy.failed(room, wasForgotten: wasForgotten, found) }
        node.announcer.presenceChanged(of: id, for: node)
    }

    /// From here on everything this persona writes there is sealed.
    func entered(
        _ room: RoomName, as persona: Persona, for node: isolated Node
    ) async throws(RequestError) -> [RoomMember] {
        let id = persona.id
        node.personas.change(id) {
            $0.privacy.held(room)
            if !$0.rooms.contains(room) { $0.rooms.append(room) }
        }
        // The persona left the public room of that name.
        roomsChanged(of: id, for: node)
        await node.wrote(id)
        node.mail.wake()
        return try await members(of: room, as: persona, for: node)
    }

    func members(
        of room: RoomName, as persona: Persona, for node: isolated Node
    ) async throws(RequestError) -> [RoomMember] {
        let desk = try persona.storedWall().rooms
        let here = Set(node.mesh.peers().filter(\.isHere).compactMap(\.peer)).union(node.personas.all)
        return try await desk.members(of: room).map { member in
            let state: RoomMember.State =
                member.state == .invited ? .invited : here.contains(member.peer) ? .here : .away
            return RoomMember(
                id: member.peer, name: node.personas[member.peer]?.name ?? RoomDesk.name(member.name), state: state)
        }
    }

    func say(
        _ lines: [SpokenText], in room: RoomName, as persona: Persona, asker: FrontID?, for node: isolated Node
    ) async throws(RequestError) -> [Result<Say.Reply, RequestError>] {
        let messages = try await persona.storedWall().rooms.say(lines, in: room, as: persona.name, at: clock.now)
        for case let message? in messages { node.deliver(.message(message.asked(by: asker)), to: persona.id) }
        await node.wrote(persona.id)
        let isWaiting = node.mesh.register.neighbourCount == 0
        return messages.map { message in
            guard let message else {
                return .failure(RequestError(.storeFailed, "not sent: the line could not be stored"))
            }
            return .success(Say.Reply(message.record, isWaiting: isWaiting, at: message.at))
        }
    }

    /// Peers whose invitations and keys this persona rejects.
    func unheard(by id: PeerID, for node: isolated Node) -> Set<PeerID> {
        id == node.personas.owner.id
            ? node.contacts.standing.blocked.union(node.contacts.standing.ignored) : node.contacts.standing.blocked
    }

    func deliver(_ news: [RoomNews], in visit: Persona.Visit, for node: isolated Node) {
        guard node.personas[visit] != nil else { return }
        for one in news { deliver(one, to: visit.id, for: node) }
    }

    private func deliver(_ news: RoomNews, to id: PeerID, for node: isolated Node) {
        if case .oldKey(let room, let peer) = news, !node.notifier.isFirst("\(id) \(room) \(peer)") { return }
        let event: NodeEvent =
            id == node.personas.owner.id
            ? .notice(Notice(.information, code: news.code, news.text { shown($0, $1, for: node) }))
            : .room(news.event { RoomEvent.Person($0, RoomDesk.name($1) ?? nameNow(of: $0, for: node)) })
        node.deliver(event, to: id)
    }

    private func nameNow(of peer: PeerID, for node: isolated Node) -> PeerName? {
        node.personas[peer]?.name ?? node.knownName(of: peer)
    }

    /// - Parameter name: from the record.
    private func shown(_ peer: PeerID, _ name: String?, for node: isolated Node) -> String {
        if peer == node.mesh.me { return "you" }
        let known = name ?? node.mesh.peers().first { $0.peer == peer }?.name
        return "\(known.map(DisplayText.isolated) ?? "")#\(peer.short)"
    }

    /// Lines of strangers in a public room of that name are not shown.
    func tellOfNamesake(_ room: RoomName, for node: isolated Node) {
        guard node.personas.owner.privacy.isPrivate(room), node.notifier.isFirst(room.text) else { return }
        let text =
            "there is also a public room \(DisplayText.isolated(room.text)); you do not see it while "
            + "you are in the private one"
        node.tellOwner(.notice(Notice(.information, code: "roomNamesake", text)))
    }
}

extension RoomNews {
    /// Identifier for programs.
    var code: String {
        switch self {
        case .came, .left, .invited: "roomMember"
        case .removed: "roomKey"
        case .invitation: "roomInvitation"
        case .oldKey: "roomOldKey"
        }
    }

    /// - Parameter shown: makes a name safe to display.
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
