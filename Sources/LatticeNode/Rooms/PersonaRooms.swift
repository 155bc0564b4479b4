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

    /// - Parameter archive: the persona's; `nil` if nothing is stored.
    static func found(in archive: Archive?, _ configuration: NodeConfiguration) async -> RoomPrivacy {
        guard let archive else { return RoomPrivacy(configuration.isStoreClosed ? nil : []) }
        return await found(in: archive.store)
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
        throw .store(fault: .roomsUnknown)
    }

    /// - Throws: if others than the intended audience would read the line.
    func check(_ audience: Audience?, in room: RoomName) throws(RequestError) {
        switch audience {
        case .everybody where isPrivate(room):
            throw .otherAudience(room: room, isPrivate: true)
        case .members where !isPrivate(room):
            throw .otherAudience(room: room, isPrivate: false)
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
        guard let persona = node.personas[id] else { throw .stopped(why: .left) }
        try persona.privacy.check(room)
        node.personas.change(id) { $0.privacy.entered(room) }
        guard !persona.rooms.contains(room) else { return remember(of: id, entered: room, for: node) }
        guard Presence.fits(persona.name, persona.rooms + [room]) else {
            throw .tooManyRooms(max: Presence.roomsMax)
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
        if id == node.personas.owner.id { node.notifier.deliverMe(for: node) }
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
        let (archive, id) = (try persona.storedArchive(), persona.id)
        try await archive.rooms.forget(room, as: persona.name, at: clock.now)
        node.personas.change(id) {
            $0.rooms.removeAll { $0 == room }
            $0.privacy.forget(room)
        }
        remember(of: id, for: node)
        if persona.isOwner { node.notifier.deliverMe(for: node) }
        await node.publisher.wrote(id, for: node)
    }

    /// - Returns: its members; `nil` if there is no such room.
    func enter(
        _ room: RoomName, _ key: TypedKey?, as persona: Persona, for node: isolated Node
    ) async throws(RequestError) -> [RoomMember]? {
        let (desk, id) = (try persona.storedArchive().rooms, persona.id)
        let isInvited = try await !desk.offers(of: room).isEmpty
        guard let privacy = node.personas[id]?.privacy else { throw .stopped(why: .left) }
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
        await node.publisher.wrote(id, for: node)
        node.mail.wake()
        return try await members(of: room, as: persona, for: node)
    }

    func members(
        of room: RoomName, as persona: Persona, for node: isolated Node
    ) async throws(RequestError) -> [RoomMember] {
        let desk = try persona.storedArchive().rooms
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
        let messages = try await persona.storedArchive().rooms.say(lines, in: room, as: persona.name, at: clock.now)
        for case let message? in messages {
            node.notifier.deliver(.message(message.asked(by: asker)), to: persona.id, for: node)
        }
        await node.publisher.wrote(persona.id, for: node)
        let isWaiting = node.mesh.register.neighbourCount == 0
        return messages.map { message in
            guard let message else { return .failure(.lineNotStored) }
            return .success(Say.Reply(message.record, isWaiting: isWaiting, at: message.at))
        }
    }

    /// Peers whose invitations and keys this persona rejects.
    func unheard(by id: PeerID, for node: isolated Node) -> Set<PeerID> {
        node.contacts.contactMarks.blocked.union(node.personas[id]?.contactMarks.unheard ?? [])
    }

    func deliver(_ news: [RoomNews], in visit: Persona.Visit, for node: isolated Node) {
        guard node.personas[visit] != nil else { return }
        for one in news { deliver(one, to: visit.id, for: node) }
    }

    private func deliver(_ news: RoomNews, to id: PeerID, for node: isolated Node) {
        if case .oldKey(let room, let peer) = news, !node.notifier.isFirst("\(id) \(room) \(peer)") { return }
        let event = news.event { RoomEvent.Person($0, RoomDesk.name($1) ?? nameNow(of: $0, for: node)) }
        let isOwner = id == node.personas.owner.id
        node.notifier.deliver(isOwner ? .notice(.room(event: event, me: id)) : .room(event), to: id, for: node)
    }

    private func nameNow(of peer: PeerID, for node: isolated Node) -> PeerName? {
        node.personas[peer]?.name ?? Contacts.name(of: peer, for: node)
    }

    /// Lines of strangers in a public room of that name are not shown.
    func reportNamesake(_ room: RoomName, for node: isolated Node) {
        guard node.personas.owner.privacy.isPrivate(room), node.notifier.isFirst(room.text) else { return }
        node.notifier.notifyOwner(.notice(.roomNamesake(room: room)), for: node)
    }
}
