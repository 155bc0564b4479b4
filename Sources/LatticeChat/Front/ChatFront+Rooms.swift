import LatticeAPI
import LatticeCore

// Private rooms.
extension ChatFront {
    /// Loads which rooms are private, before anything is said.
    func learnRooms() async {
        do {
            for room in try await node.perform(ListPrivateRooms()).rooms { conversation.privateRooms.insert(room) }
        } catch {
            return  // Without a store no room is private.
        }
    }

    /// Joins a room. New lines wait until its history is shown.
    func join(_ room: RoomName, key: TypedKey?) async throws {
        // The lines that follow in a pipe are meant for nobody else.
        hasLostPartner = !settings.isInteractive
        holdsLines = true
        defer { letLinesPass() }
        guard let members = try await askRoom(EnterPrivateRoom(room, key: key)).members else {
            return try await joinPublic(room)
        }
        try await entered(room, members)
        if key != nil, members.count <= 1 { try await show(.notice(Self.emptyNotice(room))) }
    }

    /// Shows the members of the private room in which the chat starts.
    func tellWhoIsIn(_ room: RoomName) async throws(ScreenClosed) {
        let members: [RoomMember]
        do {
            members = try await node.perform(ListRoomMembers(room)).members
        } catch {
            return  // The keys are lost; somebody who speaks there gets an error.
        }
        try await show(.reply(.members(room, members, shown: members.map(shown))))
        if members.count <= 1 { try await show(.notice(Self.emptyNotice(room))) }
    }

    private static func emptyNotice(_ room: RoomName) -> Notice {
        let text = "Nobody else is in \(room) yet. If others are there, their key may be a different one."
        return Notice(.information, code: "roomEmpty", text)
    }

    /// Joins a public room; it replaces a private one of that name.
    private func joinPublic(_ room: RoomName) async throws {
        try await ask(JoinRoom(room))
        conversation.privateRooms.remove(room)
        let isNew = conversation.join(room)
        hasLostPartner = false
        let names = conversation.names(in: room)
        await updateContext()
        try await show(.reply(.names(room, names)))
        if isNew { try await showPast(of: room) }
    }

    func create(_ room: RoomName) async throws {
        hasLostPartner = !settings.isInteractive
        holdsLines = true
        defer { letLinesPass() }
        guard let members = try await askRoom(CreatePrivateRoom(room)).members else { return }
        try await entered(room, members)
        try await show(.reply(.text("\(room) is private. /invite NAME lets somebody in; /key shows its key.")))
    }

    private func entered(_ room: RoomName, _ members: [RoomMember]) async throws {
        let wasPublic = conversation.privateRooms.insert(room).inserted
        let isNew = conversation.join(room) || wasPublic
        hasLostPartner = false
        await updateContext()
        try await show(.reply(.members(room, members, shown: members.map(shown))))
        if isNew { try await showPast(of: room) }
    }

    func showKey(of room: RoomName?) async throws {
        let room = try privateRoom(room)
        let key = try await askRoom(ShowRoomKey(room)).key
        try await show(.reply(.text("Anyone with this key can read \(room): \(key)")))
    }

    func invite(_ typed: String, to room: RoomName?) async throws {
        let (room, peer) = (try privateRoom(room), try addressee(typed))
        _ = try await askRoom(InviteToRoom(PeerReference(peer), name: conversation.name(of: peer), room))
        try await show(.reply(.text("\(shown(peer)) gets the key of \(room).")))
    }

    func remove(_ typed: String, from room: RoomName?) async throws {
        let room = try privateRoom(room)
        let peer = try await member(typed, of: room)
        _ = try await askRoom(RemoveFromRoom(PeerReference(peer), room))
        let text =
            "\(shown(peer)) is no longer in \(room). It has a new key now, which goes to the other members."
        try await show(.reply(.text(text)))
    }

    func showMembers(of room: RoomName?) async throws {
        let room = try privateRoom(room)
        let members = try await askRoom(ListRoomMembers(room)).members
        try await show(.reply(.members(room, members, shown: members.map(shown))))
    }

    func forget(_ room: RoomName) async throws {
        let room = try privateRoom(room)
        _ = try await askRoom(ForgetRoom(room))
        conversation.privateRooms.remove(room)
        let previous = conversation.current
        let wasCurrent = previous == room
        _ = conversation.part(room)
        // The lines that follow in a pipe were meant for nobody else.
        if wasCurrent { hasLostPartner = !settings.isInteractive }
        await updateContext()
        let now = whereNow(was: previous)
        try await show(.reply(.text("Deleted \(room) and its key from this device. \(now)")))
        let text = "/join \(room) now enters the public room of that name."
        try await show(.notice(Notice(.information, code: "roomForgotten", text)))
    }

    /// Members need not be here; the names they had in the room count, too.
    private func member(_ typed: String, of room: RoomName) async throws -> PeerID {
        let members = try await askRoom(ListRoomMembers(room)).members
        let named = members.filter { $0.name?.text == typed || shown($0) == typed || "#\($0.id.short)" == typed }
        return named.count == 1 ? named[0].id : try addressee(typed)
    }

    private func shown(_ member: RoomMember) -> String {
        if let name = conversation.name(of: member.id) { return conversation.shown(member.id, name) }
        guard let name = member.name else { return "#\(member.id.short)" }
        return "\(DisplayText.isolated(name.text))#\(member.id.short)"
    }

    /// - Throws: for a public room.
    private func privateRoom(_ room: RoomName?) throws -> RoomName {
        guard let room = room ?? (conversation.partner == nil ? conversation.current : nil) else {
            guard let partner = conversation.partner else { throw CommandError.noRoom }
            throw CommandError(
                code: "noRoom",
                description:
                    "You are talking privately with \(shown(partner)). Name the room, or go back to one with /query.")
        }
        guard conversation.privateRooms.contains(room) else {
            throw CommandError(
                code: "notPrivate",
                description:
                    "\(room) is public. /create #name makes a private room; /join #name KEY enters one.")
        }
        return room
    }

    private func askRoom<R: Request>(_ request: R) async throws -> R.Reply {
        do { return try await ask(request) } catch {
            hasRefused = true
            throw error
        }
    }
}
