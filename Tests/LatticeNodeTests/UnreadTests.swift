import LatticeAPI
import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeNode

/// What a person has not read, in all their fronts.
@Suite(.timeLimit(.minutes(10))) struct UnreadTests {
    private func count(_ lines: Int, in room: String = "#lobby", mentions: Int = 0) throws -> UnreadCount {
        UnreadCount(.room(try RoomName(room)), lines: lines, mentions: mentions, isMore: false)
    }

    private func mark(_ room: String = "#lobby", upTo line: RecordID? = nil) throws -> MarkRead {
        MarkRead(.room(try RoomName(room)), upTo: line)
    }

    @Test func linesAndMentionsOfOthersAreCounted() async throws {
        try await Camp.run { camp in
            let bob = camp.bob.visitor
            for text in ["hello", "is Bob here?", "bobby", "bob_ no"] { try await camp.carol.say(text) }
            try await camp.bob.say("bob talks to bob")
            #expect(try await bob.perform(ListUnread()).conversations == [count(4, mentions: 1)])
            let lines = try await camp.bob.history()
            #expect(try await bob.perform(mark(upTo: lines[1].record)) == count(2))
            #expect(try await bob.perform(mark(upTo: lines[0].record)) == count(2))
            #expect(try await bob.perform(mark()) == count(0))
            #expect(try await bob.perform(ListUnread()).conversations.isEmpty)
            // Others have read nothing.
            #expect(try await camp.carol.visitor.perform(ListUnread()).conversations == [count(1)])
            #expect(try await camp.here.node.perform(ListUnread()).conversations == [count(5)])
        }
    }

    @Test func readingInOneFrontIsToldToTheOthersOfThatPersona() async throws {
        try await Camp.run { camp in
            try await camp.carol.say("hello")
            try await camp.carol.say("there")
            let first = try await camp.bob.history()[0].record
            _ = try await camp.bob.visitor.perform(mark(upTo: first))
            // Nothing moves.
            _ = try await camp.bob.visitor.perform(mark(upTo: first))
            _ = try await camp.bob.visitor.perform(mark())
            let expected = [try count(1), try count(0)]
            try await eventually("both fronts") { camp.bob.own.reads == expected && camp.bob.all.reads == expected }
            #expect(camp.carol.all.reads.isEmpty)
            #expect(camp.here.events.allSatisfy { if case .read = $0 { false } else { true } })
            _ = try await camp.here.node.perform(mark())
            try await eventually("the owner's front") { camp.here.events.contains(.read(try count(0))) }
        }
    }

    @Test func privateMessagesAreCounted() async throws {
        try await Camp.run { camp in
            let (bob, carol) = (camp.bob.visitor, camp.carol.visitor)
            _ = try await camp.carol.tell("psst", camp.bob.id)
            _ = try await camp.carol.tell("bob?", camp.bob.id)
            _ = try await camp.bob.tell("what", camp.carol.id)
            try await eventually("both arrived") {
                camp.bob.own.messages.count == 2 && camp.carol.own.messages.count == 1
            }
            let person = ConversationName.peer(PeerReference(camp.carol.id))
            func count(_ lines: Int, mentions: Int = 0) -> UnreadCount {
                UnreadCount(person, lines: lines, mentions: mentions, isMore: false)
            }
            #expect(try await bob.perform(ListUnread()).conversations == [count(2, mentions: 1)])
            #expect(try await carol.perform(ListUnread()).conversations.map(\.lines) == [1])
            let first = try #require(camp.bob.own.messages[0].record)
            #expect(try await bob.perform(MarkRead(person, upTo: first)) == count(1, mentions: 1))
            #expect(try await bob.perform(MarkRead(.peer(PeerReference("carol")))) == count(0))
            try await eventually("bob's fronts") { camp.bob.own.reads == [count(1, mentions: 1), count(0)] }
            await #expect(throws: RequestError.unknownPeer(text: "nobody")) {
                try await bob.perform(MarkRead(.peer(PeerReference("nobody"))))
            }
        }
    }

    @Test func privateRoomsAreCountedApartFromPublicOnesOfTheirName() async throws {
        try await Camp.run { camp in
            let (bob, carol) = (camp.bob.visitor, camp.carol.visitor)
            let room = try RoomName("#den")
            _ = try await carol.perform(CreatePrivateRoom(room))
            _ = try await carol.perform(InviteToRoom(PeerReference(camp.bob.id), name: nil, room))
            try await eventually("the invitation") { !camp.bob.own.roomEvents.isEmpty }
            _ = try await bob.perform(EnterPrivateRoom(room, key: nil))
            // Somebody else is in the public room of that name.
            _ = try await camp.here.node.perform(Say("in public", style: .says, room: room))
            for text in ["one", "two"] { try await camp.carol.say(text, in: "#den") }
            try await eventually("both arrived") { camp.bob.own.lines.map(\.text) == ["one", "two"] }
            #expect(try await bob.perform(ListUnread()).conversations.contains(count(2, in: "#den")))
            let first = camp.bob.own.lines[0].record
            #expect(try await bob.perform(mark("#den", upTo: first)) == count(1, in: "#den"))
            #expect(try await bob.perform(mark("#den")) == count(0, in: "#den"))
            #expect(try await camp.here.node.perform(mark("#den")) == count(0, in: "#den"))
        }
    }

    @Test func whoeverIsNotShownAndWhatIsMutedDoesNotCount() async throws {
        try await Camp.run { camp in
            let bob = camp.bob.visitor
            try await camp.carol.say("hello bob")
            _ = try await camp.carol.tell("psst", camp.bob.id)
            try await eventually("it arrived") { camp.bob.own.messages.count == 1 }
            _ = try await bob.perform(IgnorePerson(PeerReference(camp.carol.id), true))
            #expect(try await bob.perform(ListUnread()).conversations.isEmpty)
            _ = try await bob.perform(IgnorePerson(PeerReference(camp.carol.id), false))
            #expect(try await bob.perform(ListUnread()).conversations.count == 2)
            let node = camp.here.node
            #expect(try await node.perform(ListUnread()).conversations == [count(1)])
            _ = try await node.perform(MuteRoom(try RoomName("#lobby"), true))
            #expect(try await node.perform(ListUnread()).conversations.isEmpty)
        }
    }

    @Test func roomsAreListedWithWhatIsUnreadAndTheirLastLines() async throws {
        try await Camp.run { camp in
            let bob = camp.bob.visitor
            _ = try await camp.carol.visitor.perform(CreatePrivateRoom(try RoomName("#den")))
            _ = try await camp.carol.visitor.perform(
                InviteToRoom(PeerReference(camp.bob.id), name: nil, try RoomName("#den")))
            try await eventually("the invitation") { !camp.bob.own.roomEvents.isEmpty }
            _ = try await bob.perform(EnterPrivateRoom(try RoomName("#den"), key: nil))
            try await camp.carol.say("bob, come", in: "#den")
            try await camp.carol.say("hello")
            try await camp.bob.say(String(repeating: "é", count: 300))
            _ = try await camp.carol.tell("psst", camp.bob.id)
            try await eventually("all arrived") {
                camp.bob.own.lines.contains { $0.text == "bob, come" } && camp.bob.own.messages.count == 1
            }
            let rooms = try await bob.perform(ListRooms()).conversations
            let names = try ["#lobby", "#den"].map { ConversationName.room(try RoomName($0)) }
            #expect(rooms.map(\.conversation) == names + [.peer(PeerReference(camp.carol.id))])
            #expect(rooms.map(\.unread.lines) == [1, 1, 1] && rooms.map(\.unread.mentions) == [0, 1, 0])
            #expect(rooms.map(\.isPrivate) == [false, true, true] && rooms.allSatisfy { !$0.isMuted })
            #expect(rooms.map(\.people) == [3, 2, nil])
            #expect(rooms[0].last?.text == String(repeating: "é", count: 199) + "…")
            #expect(rooms[0].last?.from == camp.bob.id && rooms[0].last?.name?.text == "bob")
            #expect(rooms.dropFirst().map(\.last?.text) == ["bob, come", "psst"])
            #expect(rooms[2].name?.text == "carol" && rooms[2].last?.from == camp.carol.id)

            let own = try await camp.bob.history().last { $0.from == camp.bob.id }
            _ = try await bob.perform(DeleteLine(try #require(own?.record)))
            let gone = try await bob.perform(ListRooms()).conversations[0].last
            #expect(gone?.isDeleted == true && gone?.text == "")
            _ = try await camp.here.node.perform(MuteRoom(try RoomName("#lobby"), true))
            let muted = try #require(try await camp.here.node.perform(ListRooms()).conversations.first)
            #expect(muted.isMuted && muted.unread.lines == 1 && muted.people == 3)

            _ = try await bob.perform(IgnorePerson(PeerReference(camp.carol.id), true))
            let rest = try await bob.perform(ListRooms()).conversations
            #expect(rest.map(\.conversation) == names && rest.map(\.unread.lines) == [0, 0])
            #expect(rest[0].last?.isDeleted == true && rest[1].last == nil)
        }
    }

    @Test func positionsOutlastTheNode() async throws {
        let home = try Home("ann")
        let first = try await Chatter(home)
        try await first.run {
            let bob = try await first.admit("bob")
            try await bob.join()
            for text in ["one", "two", "three"] {
                _ = try await first.node.perform(Say(text, style: .says, room: try RoomName("#lobby")))
            }
            let lines = try await bob.history()
            _ = try await bob.visitor.perform(mark(upTo: lines[1].record))
        }
        let second = try await Chatter(home)
        try await second.run {
            let bob = try await second.admit("bob")
            try await bob.join()
            #expect(try await bob.visitor.perform(ListUnread()).conversations == [count(1)])
        }
    }
}

extension EventListener {
    fileprivate var reads: [UnreadCount] {
        events.compactMap { if case .read(let count) = $0 { count } else { nil } }
    }
}
