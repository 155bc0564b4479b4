import LatticeAPI
import LatticeCore

final class ChatRooms {
    private let desk: ChatDesk
    private let past: ChatPast
    private let privateTalk: PrivateTalk
    private let pins: ChatPins
    /// My name and rooms are changed or compared by one caller at a time.
    private let changes = Gate()

    init(_ desk: ChatDesk, _ past: ChatPast, _ privateTalk: PrivateTalk, _ pins: ChatPins) {
        (self.desk, self.past, self.privateTalk, self.pins) = (desk, past, privateTalk, pins)
    }

    nonisolated(nonsending) func rename(_ name: PeerName) async throws {
        await changes.enter()
        defer { changes.open() }
        try await desk.ask(Rename(name))
        desk.conversation.rename(name)
        let (own, me) = (DisplayText.isolated(name.text), desk.conversation.me)
        let isShared = desk.shown(me).hasSuffix("#\(me.short)")
        let told = isShared ? " Somebody else has that name, so others see you as \(desk.shown(me))." : ""
        try await desk.show(.reply(.text("You are now called \(own).\(told)")))
        await desk.updateContext()
    }

    nonisolated(nonsending) func part(_ room: RoomName?) async throws {
        await changes.enter()
        defer { changes.open() }
        if room == nil, desk.conversation.partner != nil { return try await privateTalk.query(nil) }
        guard let room = room ?? desk.conversation.current else { throw CommandError.noRoom }
        let previous = desk.conversation.current
        guard desk.conversation.part(room) else {
            throw CommandError(
                code: "notInRoom", description: "You are not in \(room); /rooms lists the rooms you are in.")
        }
        try await desk.ask(LeaveRoom(room))
        await desk.updateContext()
        try await desk.show(.reply(.text("You left \(room). \(desk.whereNow(was: previous))")))
    }

    // MARK: - Rooms

    /// If the node cannot say what was said, the rooms alone are listed.
    nonisolated(nonsending) func list() async throws {
        var known: [ConversationInfo] = []
        do {
            known = try await desk.node.perform(ListRooms()).conversations
        } catch {
            // A broken store has a notice of its own.
        }
        for info in known { desk.conversation.note(info) }
        let (calendar, now) = (desk.settings.calendar, desk.settings.now())
        let today = calendar.text(now).prefix(10)
        try await desk.show(
            .reply(
                .rooms(
                    desk.conversation.roomList(known) { date in
                        let text = calendar.text(date)
                        return String(text.hasPrefix(today) ? text.suffix(5) : text.prefix(10))
                    })))
    }

    /// Loads which rooms are private, before anything is said.
    nonisolated(nonsending) func learn() async {
        do {
            for room in try await desk.node.perform(ListPrivateRooms()).rooms {
                desk.conversation.privateRooms.insert(room)
            }
        } catch {
            return  // Without a store no room is private.
        }
    }

    /// Joins a room. New lines wait until its history is shown.
    nonisolated(nonsending) func join(_ room: RoomName, key: TypedKey?) async throws {
        await changes.enter()
        defer { changes.open() }
        // The lines that follow in a pipe are meant for nobody else.
        desk.losePartner()
        past.newLines.close()
        defer { past.newLines.open() }
        guard let members = try await askRoom(EnterPrivateRoom(room, key: key)).members else {
            return try await joinPublic(room)
        }
        try await entered(room, members)
        if key != nil, members.count <= 1 { try await desk.show(.notice(Self.emptyNotice(room))) }
    }

    /// Shows the members of the private room in which the chat starts.
    nonisolated(nonsending) func reportMembers(_ room: RoomName) async throws(ScreenClosed) {
        let members: [RoomMember]
        do {
            members = try await desk.node.perform(ListRoomMembers(room)).members
        } catch {
            return  // The keys are lost; somebody who speaks there gets an error.
        }
        try await desk.show(.reply(.members(room, members, shown: members.map(nameShown))))
        if members.count <= 1 { try await desk.show(.notice(Self.emptyNotice(room))) }
    }

    private static func emptyNotice(_ room: RoomName) -> Notice {
        let text = "Nobody else is in \(room) yet. If others are there, their key may be a different one."
        return Notice(.information, code: "roomEmpty", text)
    }

    /// Joins a public room; it replaces a private one of that name.
    nonisolated(nonsending) private func joinPublic(_ room: RoomName) async throws {
        try await desk.ask(JoinRoom(room))
        desk.conversation.privateRooms.remove(room)
        let isFirst = desk.conversation.join(room)
        let isNew = isFirst || desk.conversation.unread.has(.room(room))
        desk.hasLostPartner = false
        let names = desk.conversation.names(in: room)
        await desk.updateContext()
        try await desk.show(.reply(.names(room, names, states: desk.conversation.states(in: room, []))))
        if isNew { try await past.show(room) }
        if isFirst { try await pins.entered(room) }
    }

    nonisolated(nonsending) func create(_ room: RoomName) async throws {
        await changes.enter()
        defer { changes.open() }
        desk.losePartner()
        past.newLines.close()
        defer { past.newLines.open() }
        guard let members = try await askRoom(CreatePrivateRoom(room)).members else { return }
        try await entered(room, members)
        try await desk.show(.reply(.text("\(room) is private. /invite NAME lets somebody in; /key shows its key.")))
    }

    nonisolated(nonsending) private func entered(_ room: RoomName, _ members: [RoomMember]) async throws {
        let wasPublic = desk.conversation.privateRooms.insert(room).inserted
        let isFirst = desk.conversation.join(room) || wasPublic
        let isNew = isFirst || desk.conversation.unread.has(.room(room))
        desk.hasLostPartner = false
        await desk.updateContext()
        try await desk.show(.reply(.members(room, members, shown: members.map(nameShown))))
        if isNew { try await past.show(room) }
        if isFirst { try await pins.entered(room) }
    }

    nonisolated(nonsending) func showKey(of room: RoomName?) async throws {
        let room = try privateRoom(room)
        let key = try await askRoom(ShowRoomKey(room)).key
        try await desk.show(.reply(.text("Anyone with this key can read \(room): \(key)")))
    }

    nonisolated(nonsending) func invite(_ typed: String, to room: RoomName?) async throws {
        let (room, peer) = (try privateRoom(room), try desk.addressee(typed))
        _ = try await askRoom(InviteToRoom(PeerReference(peer), name: desk.conversation.name(of: peer), room))
        try await desk.show(.reply(.text("\(desk.shown(peer)) gets the key of \(room).")))
    }

    nonisolated(nonsending) func remove(_ typed: String, from room: RoomName?) async throws {
        let room = try privateRoom(room)
        let peer = try await member(typed, of: room)
        _ = try await askRoom(RemoveFromRoom(PeerReference(peer), room))
        let text =
            "\(desk.shown(peer)) is no longer in \(room). It has a new key now, which goes to the other members."
        try await desk.show(.reply(.text(text)))
    }

    nonisolated(nonsending) func showNames(in room: RoomName?) async throws {
        guard let room = room ?? desk.conversation.current else { throw CommandError.noRoom }
        if desk.conversation.privateRooms.contains(room) { return try await showMembers(of: room) }
        var peers: [PeerInfo] = []
        do {
            peers = try await desk.node.perform(ListPeers()).peers
        } catch {
            // Nobody is shown as idle.
        }
        try await desk.show(
            .reply(.names(room, desk.conversation.names(in: room), states: desk.conversation.states(in: room, peers))))
    }

    nonisolated(nonsending) func showMembers(of room: RoomName?) async throws {
        let room = try privateRoom(room)
        let members = try await askRoom(ListRoomMembers(room)).members
        let shown = members.map { member in
            let state = AwayPhrases.state(away: desk.conversation.awayText(of: member.id), idle: nil)
            return nameShown(member) + (state.map { " (\($0))" } ?? "")
        }
        try await desk.show(.reply(.members(room, members, shown: shown)))
    }

    nonisolated(nonsending) func forget(_ room: RoomName) async throws {
        await changes.enter()
        defer { changes.open() }
        let room = try privateRoom(room)
        _ = try await askRoom(ForgetRoom(room))
        desk.conversation.privateRooms.remove(room)
        let previous = desk.conversation.current
        let wasCurrent = previous == room
        _ = desk.conversation.part(room)
        // The lines that follow in a pipe were meant for nobody else.
        if wasCurrent { desk.losePartner() }
        await desk.updateContext()
        let now = desk.whereNow(was: previous)
        try await desk.show(.reply(.text("Deleted \(room) and its key from this device. \(now)")))
        let text = "/join \(room) now enters the public room of that name."
        try await desk.show(.notice(Notice(.information, code: "roomForgotten", text)))
    }

    /// Members need not be here; the names they had in the room count, too.
    nonisolated(nonsending) private func member(_ typed: String, of room: RoomName) async throws -> PeerID {
        let members = try await askRoom(ListRoomMembers(room)).members
        let named = members.filter { $0.name?.text == typed || nameShown($0) == typed || "#\($0.id.short)" == typed }
        return named.count == 1 ? named[0].id : try desk.addressee(typed)
    }

    private func nameShown(_ member: RoomMember) -> String {
        if let name = desk.conversation.name(of: member.id) { return desk.conversation.shown(member.id, name) }
        guard let name = member.name else { return "#\(member.id.short)" }
        return "\(DisplayText.isolated(name.text))#\(member.id.short)"
    }

    /// - Throws: for a public room.
    private func privateRoom(_ room: RoomName?) throws -> RoomName {
        guard let room = room ?? (desk.conversation.partner == nil ? desk.conversation.current : nil) else {
            guard let partner = desk.conversation.partner else { throw CommandError.noRoom }
            throw CommandError(
                code: "noRoom",
                description:
                    "You are talking privately with \(desk.shown(partner)). Name the room, or go back to one with /query."
            )
        }
        guard desk.conversation.privateRooms.contains(room) else {
            throw CommandError(
                code: "notPrivate",
                description:
                    "\(room) is public. /create #name makes a private room; /join #name KEY enters one.")
        }
        return room
    }

    nonisolated(nonsending) private func askRoom<R: Request>(_ request: R) async throws -> R.Reply {
        do { return try await desk.ask(request) } catch {
            desk.hasRefused = true
            throw error
        }
    }

    // MARK: - Changes by other fronts

    /// Asks the node for the current state: the event may be older than a change made here.
    nonisolated(nonsending) func lookAtMe() async throws(ScreenClosed) {
        guard let (me, changes) = await changesElsewhere(), !changes.isEmpty else { return }
        await desk.updateContext()
        try await desk.show(.me(me, changes))
    }

    /// - Returns: `nil` if the node does not answer.
    nonisolated(nonsending) func changesElsewhere() async -> (Me, [ChangeElsewhere])? {
        await changes.enter()
        defer { changes.open() }
        do {
            let me = try await desk.node.perform(ShowMe())
            return (me, desk.conversation.take(me))
        } catch {
            return nil
        }
    }
}
