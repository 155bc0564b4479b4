import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// What people let cross bridges, and what a bridge gets.
@Suite(.timeLimit(.minutes(10))) struct CrossingTests {
    private struct Crossed {
        var records: [Record] = []

        /// What was said, in the order of the store.
        var lines: [String] {
            get throws { try records.filter { $0.kind == .chat }.map { try ChatLine(decoding: $0.body).text } }
        }

        func kinds(by author: PeerID) -> Set<RecordKind> { Set(records.filter { $0.author == author }.map(\.kind)) }
    }

    /// Everything that a bridge gets that starts now.
    private func crossed(at node: Node) async throws -> Crossed {
        let feed = try await node.perform(RecordsSubscribe(crossing: true)).feed
        var crossed = Crossed()
        while true {
            let batch = try await node.nextRecords(of: feed)
            crossed.records += try batch.records.map { try SignedRecord(decoding: $0.bytes[...]).record }
            if batch.live { break }
            _ = try await node.perform(RecordsTaken(feed, batch.position))
        }
        _ = try await node.perform(RecordsEnd(feed))
        return crossed
    }

    @Test func withoutAWordNothingCrosses() async throws {
        try await Camp.run { camp in
            try await camp.bob.say("from bob")
            try await camp.here.say("from ann")
            _ = try await camp.here.node.perform(NewPost(text: "a bench", at: try .park()))
            try await eventually("they are stored") { try await camp.here.history().count == 2 }
            let crossed = try await crossed(at: camp.here.node)
            #expect(crossed.records.isEmpty)
            #expect(try await camp.here.node.perform(ShowCrossing()) == Crossing())
        }
    }

    @Test func eachPersonaHasAWordOfItsOwn() async throws {
        try await Camp.run { camp in
            let (node, lobby) = (camp.here.node, try RoomName("#lobby"))
            try await camp.bob.say("from bob")
            try await camp.carol.say("from carol")
            try await camp.here.say("from ann")
            _ = try await camp.carol.visitor.perform(NewPost(text: "a bench", at: try .park()))
            let bobs = try await camp.bob.visitor.perform(SetCrossing(rooms: [lobby]))
            #expect(bobs.allows && bobs.rooms == [lobby] && bobs.until.map { $0 > Clocks.machine() } == true)
            #expect(try await camp.bob.visitor.perform(ShowCrossing()) == bobs)
            for other in [try await camp.carol.visitor.perform(ShowCrossing()), try await node.perform(ShowCrossing())]
            { #expect(other == Crossing()) }
            try await eventually("bob's line crosses") { try await crossed(at: node).lines == ["from bob"] }
            _ = try await camp.carol.visitor.perform(SetCrossing(rooms: []))
            let both = try await crossed(at: node)
            #expect(try both.lines == ["from bob"])
            #expect(both.kinds(by: camp.carol.id).isSuperset(of: [.post, .profile, .crossing]))
            #expect(both.kinds(by: camp.here.home.identity.peer).isEmpty)
            _ = try await camp.bob.visitor.perform(SetCrossing(rooms: nil))
            let one = try await crossed(at: node)
            #expect(one.kinds(by: camp.bob.id) == [.crossing] && one.kinds(by: camp.carol.id).contains(.post))
        }
    }

    @Test func anOpenFeedObeysTheNewestWord() async throws {
        try await Camp.run { camp in
            let node = camp.here.node
            try await camp.bob.say("before")
            try await eventually("it is stored") { try await camp.here.history().count == 1 }
            let feed = try await node.perform(RecordsSubscribe(crossing: true)).feed
            let first = try await node.nextRecords(of: feed)
            #expect(first.records.isEmpty && first.live)
            _ = try await camp.bob.visitor.perform(SetCrossing(rooms: [try RoomName("#lobby")]))
            try await camp.bob.say("there")
            var crossed = Crossed()
            while try crossed.lines.isEmpty {
                let batch = try await node.nextRecords(of: feed)
                crossed.records += try batch.records.map { try SignedRecord(decoding: $0.bytes[...]).record }
                _ = try await node.perform(RecordsTaken(feed, batch.position))
            }
            #expect(try crossed.lines == ["there"], "what was left out is not sent later")
        }
    }

    @Test func aPrivateRoomIsNotNamedAndItsLinesCrossSealed() async throws {
        try await Camp.run { camp in
            let (node, secret) = (camp.here.node, try RoomName("#secret"))
            _ = try await node.perform(CreatePrivateRoom(secret))
            await #expect(throws: RequestError.invalid(faults: [.privateRoom(room: secret)])) {
                _ = try await node.perform(SetCrossing(rooms: [try RoomName("#lobby"), secret]))
            }
            #expect(try await node.perform(ShowCrossing()) == Crossing())
            _ = try await node.perform(Say("psst", style: .says, room: secret))
            _ = try await node.perform(SetCrossing(rooms: []))
            let me = camp.here.home.identity.peer
            try await eventually("the sealed line crosses") {
                try await crossed(at: node).kinds(by: me).contains(.sealed)
            }
            #expect(try await crossed(at: node).lines.isEmpty)
            // It is private for its members alone.
            _ = try await camp.bob.visitor.perform(SetCrossing(rooms: [secret]))
        }
    }

    @Test func aWordHoldsForAYearAndIsNotRenewed() async throws {
        let alice = try Person("alice")
        #expect(try await alice.ask(ShowCrossing()) == Crossing())
        let rooms = try ["#park", "#camp", "#park"].map { try RoomName($0) }
        let word = try await alice.ask(SetCrossing(rooms: rooms))
        #expect(try word.rooms == [RoomName("#camp"), RoomName("#park")] && word.at == Person.now)
        let until = try #require(word.until)
        #expect(until == WallTime(milliseconds: Person.now.milliseconds + 365 * 86_400_000))
        let late = WallTime(milliseconds: until.milliseconds - 60_000)
        try await alice.archive.desk.renew(at: late)
        #expect(try await alice.ask(ShowCrossing(), at: late) == word)
        #expect(try await alice.ask(ShowCrossing(), at: until) == Crossing())
        let denied = try await alice.ask(SetCrossing(rooms: nil))
        #expect(!denied.allows && denied.rooms.isEmpty && denied.at != nil)
    }

    @Test func atMost64RoomsAreListed() async throws {
        let alice = try Person("alice")
        let rooms = try (0..<65).map { try RoomName("#room\($0)") }
        #expect(try await alice.ask(SetCrossing(rooms: Array(rooms.dropLast()))).rooms.count == 64)
        await #expect(throws: RequestError.invalid(faults: [.tooManyRooms(max: 64)])) {
            _ = try await alice.ask(SetCrossing(rooms: rooms))
        }
    }
}
