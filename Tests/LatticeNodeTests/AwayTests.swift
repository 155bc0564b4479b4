import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeWire
import Testing

@testable import LatticeNode

/// Away texts, missed notifications and idle times on a node.
@Suite(.timeLimit(.minutes(10))) struct AwayTests {
    private func away(_ id: PeerID, seenBy guest: Guest) async throws -> String? {
        try await guest.peers().first { $0.id == id }?.away
    }

    @Test func othersSeeWhoIsAway() async throws {
        try await Camp.run { camp in
            #expect(try await camp.bob.visitor.perform(SetAway("at lunch")) == .init("at lunch"))
            try await eventually("carol's list") { try await away(camp.bob.id, seenBy: camp.carol) == "at lunch" }
            try await eventually("an event") {
                camp.carol.all.presences.last { $0.id == camp.bob.id }?.away == "at lunch"
            }
            #expect(try await camp.bob.visitor.perform(ShowMe()).away == "at lunch")
            _ = try await camp.here.node.perform(SetAway(""))
            let owner = camp.here.home.identity.peer
            #expect(try await away(owner, seenBy: camp.carol) == "")
            #expect(try await camp.here.node.perform(ShowMe()).away == "")
            #expect(try await camp.bob.visitor.perform(SetAway(nil)) == .init(nil))
            try await eventually("he is back") { try await away(camp.bob.id, seenBy: camp.carol) == nil }
            await #expect(throws: RequestError.lineTooLong(bytes: 201, max: 200)) {
                _ = try await camp.bob.visitor.perform(SetAway(String(repeating: "a", count: 201)))
            }
        }
    }

    @Test func notificationsAreCountedWhileSomebodyIsAway() async throws {
        try await Camp.run { camp in
            try await camp.carol.say("bob: before")
            try await eventually("one") { camp.bob.own.notifications.count == 1 }
            _ = try await camp.bob.visitor.perform(SetAway(""))
            for text in ["bob: one", "bob: two"] { try await camp.carol.say(text) }
            try await eventually("all") { camp.bob.own.notifications.count == 3 }
            #expect(try await camp.bob.visitor.perform(SetAway(nil)).missed == 2)
            #expect(try await camp.bob.visitor.perform(SetAway(nil)).missed == 0)
            #expect(try await camp.bob.visitor.perform(ListNotifications()).notifications.count == 3)
        }
    }

    @Test func idleTimeBeginsWithTheLastLine() async throws {
        try await Camp.run { camp in
            func idle(_ id: PeerID) async throws -> Duration? {
                try await camp.carol.peers().first { $0.id == id }?.idle
            }
            #expect(try await idle(camp.bob.id) == nil)
            try await camp.bob.say("hi")
            try await eventually("the line") { camp.carol.all.lines.count == 1 }
            #expect(try await idle(camp.bob.id) != nil)
        }
        var times = SpokenTimes()
        for number in 0..<10_000 as Range<UInt64> {
            times.spoke(PeerID(Bytes32(words: (number, 0, 0, 0))), at: Instant(nanoseconds: Int64(number)))
        }
        #expect(times[PeerID(Bytes32(words: (9_999, 0, 0, 0)))] != nil)
        #expect(times[PeerID(Bytes32(words: (0, 0, 0, 0)))] == nil)
    }

    @Test func anAwayTextThatDoesNotFitIsLeftOut() throws {
        let rooms = try (10...60).map { try RoomName("#room-with-a-name-\($0)") }
        func told(_ count: Int, _ text: String) throws -> String? {
            var persona = Persona(
                visit: Persona.Visit(id: PeerID(.zero), number: 1), account: nil, identity: Identity.generate(),
                archive: nil,
                name: try PeerName("alice"), rooms: Array(rooms.prefix(count)), privacy: RoomPrivacy([]), at: .zero)
            _ = persona.setAway(text)
            let presence = persona.presence()
            #expect(presence.fits && presence.rooms.count == count)
            return presence.away
        }
        let long = String(repeating: "a", count: 200)
        #expect(try told(10, long) == long)
        #expect(try told(48, long) == "")
    }

    /// The renewal time is added when a presence is announced.
    @Test func aPresenceThatFitsAlsoFitsWithARenewalTime() throws {
        let rooms = try (10...44).map { try RoomName("#room-with-a-name-\($0)") }
        for count in 0...200 {
            let presence = Presence(
                isHere: true, name: try PeerName("alice"), rooms: rooms, away: String(repeating: "a", count: count))
            var announced = presence
            announced.renewalSeconds = Presence.renewalSecondsRange.lowerBound
            #expect(presence.fits == (announced.body.count <= MeshLimit.presenceBytesMax))
        }
    }
}
