import LatticeAPI
import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeNode

/// Lines of rooms and conversations found again.
@Suite(.timeLimit(.minutes(10))) struct LineSearchTests {
    @Test func roomsPrivateRoomsAndPrivateMessagesAreSearchedTogether() async throws {
        try await Camp.run { camp in
            let (bob, carol) = (camp.bob.visitor, camp.carol.visitor)
            let room = try RoomName("#den")
            _ = try await carol.perform(CreatePrivateRoom(room))
            _ = try await carol.perform(InviteToRoom(PeerReference(camp.bob.id), name: nil, room))
            try await eventually("the invitation") { !camp.bob.own.roomEvents.isEmpty }
            _ = try await bob.perform(EnterPrivateRoom(room, key: nil))
            try await camp.carol.say("who has the key?")
            try await camp.carol.say("the key is in the den", in: "#den")
            _ = try await camp.carol.tell("keys are for you", camp.bob.id)
            try await eventually("all arrived") {
                camp.bob.own.lines.count == 1 && camp.bob.own.messages.count == 1
            }
            let found = try await bob.perform(SearchLines("key"))
            #expect(Set(found.lines.map(\.text)) == ["who has the key?", "the key is in the den", "keys are for you"])
            #expect(found.lines.count { $0.isPrivate } == 2 && found.next == nil)
            #expect(found.lines.allSatisfy { $0.from == camp.carol.id && $0.name == "carol" })
            #expect(
                try await bob.perform(SearchLines("key", in: .room(room))).lines.map(\.text) == [
                    "the key is in the den"
                ])
            let with = ConversationName.peer(PeerReference("carol"))
            #expect(try await bob.perform(SearchLines("key", in: with)).lines.map(\.text) == ["keys are for you"])
            // The owner of the node reads what is public.
            #expect(try await camp.here.node.perform(SearchLines("key")).lines.map(\.text) == ["who has the key?"])
            let inDen = try #require(found.lines.first { $0.conversation == .room(room) }?.short)
            #expect(try await bob.perform(LinesAround(inDen)).lines.map(\.text) == ["the key is in the den"])
            await #expect(throws: RequestError.self) { try await camp.here.node.perform(LinesAround(inDen)) }
        }
    }

    @Test func whatStandsAroundALineOfAPrivateRoomOrConversationIsShown() async throws {
        try await Camp.run { camp in
            let (bob, carol) = (camp.bob.visitor, camp.carol.visitor)
            let room = try RoomName("#den")
            _ = try await carol.perform(CreatePrivateRoom(room))
            for number in 0..<5 { try await camp.carol.say("line \(number)", in: "#den") }
            for number in 5..<10 {
                _ = try await camp.carol.tell("line \(number)", camp.bob.id)
                // They stand in the order in which they arrive.
                try await eventually("it arrived") { camp.bob.own.messages.count == number - 4 }
            }
            _ = try await camp.carol.tell("elsewhere", try await camp.here.node.perform(ShowMe()).id)
            func around(_ words: String, _ reader: any MeshNode, count: Int) async throws -> [String] {
                let found = try await reader.perform(SearchLines(words)).lines.first
                let short = try #require(found?.short)
                return try await reader.perform(LinesAround(short, count: count)).lines.map(\.text)
            }
            #expect(try await around("1", carol, count: 1) == ["line 0", "line 1", "line 2"])
            #expect(try await around("4", carol, count: 2) == ["line 2", "line 3", "line 4"])
            #expect(try await around("8", bob, count: 2) == ["line 6", "line 7", "line 8", "line 9"])
            #expect(try await around("5", carol, count: 1) == ["line 5", "line 6"])
            // Nobody reads the messages of others.
            let found = try await bob.perform(SearchLines("8")).lines.first
            let short = try #require(found?.short)
            await #expect(throws: RequestError.unknownLine) { try await camp.here.node.perform(LinesAround(short)) }
            _ = try await bob.perform(BlockPerson(PeerReference(camp.carol.id), true))
            await #expect(throws: RequestError.unknownLine) { try await bob.perform(LinesAround(short)) }
        }
    }

    @Test func pagesOfAllSourcesFollowEachOther() async throws {
        try await Camp.run { camp in
            for number in 0..<10 { try await camp.carol.say("key \(number)") }
            for number in 10..<15 { _ = try await camp.carol.tell("key \(number)", camp.bob.id) }
            try await eventually("all arrived") { camp.bob.own.messages.count == 5 }
            var (texts, after): ([String], PageCursor?) = ([], nil)
            repeat {
                let page = try await camp.bob.visitor.perform(
                    SearchLines("key", page: PageRequest(limit: 4, after: after)))
                texts += page.lines.map(\.text)
                after = page.next
            } while after != nil && texts.count < 100
            #expect(texts.count == 15 && Set(texts).count == 15)
        }
    }

    @Test func whatStandsAroundALineIsShownInItsOrder() async throws {
        try await Camp.run { camp in
            for number in 0..<9 { try await camp.carol.say("line \(number)") }
            let found = try await camp.bob.visitor.perform(SearchLines("4"))
            let short = try #require(found.lines.first?.short)
            let around = try await camp.bob.visitor.perform(LinesAround(short, count: 2))
            #expect(around.lines.map(\.text) == (2...6).map { "line \($0)" })
            for (line, count) in [("00", 2), ("0000000000", 2), (short, 0), (short, 101), ("xyzxyzxyz", 1)] {
                await #expect(throws: RequestError.self) {
                    try await camp.bob.visitor.perform(LinesAround(line, count: count))
                }
            }
        }
    }

    @Test func whoeverIsIgnoredIsNotFoundAndNoWordIsAFault() async throws {
        try await Camp.run { camp in
            try await camp.carol.say("the key")
            _ = try await camp.bob.visitor.perform(IgnorePerson(PeerReference(camp.carol.id), true))
            #expect(try await camp.bob.visitor.perform(SearchLines("key")).lines.isEmpty)
            for words in ["", "  ", "?!"] {
                await #expect(throws: RequestError.invalid(faults: [.noWord])) {
                    try await camp.bob.visitor.perform(SearchLines(words))
                }
            }
            for cursor in ["x", "l-1", "l-1-1-zz!", "t-1-1", "l--1-1-1"] {
                await #expect(throws: RequestError.invalid(faults: [.otherCursor])) {
                    try await camp.bob.visitor.perform(
                        SearchLines("key", page: PageRequest(after: PageCursor(cursor))))
                }
            }
        }
    }
}
