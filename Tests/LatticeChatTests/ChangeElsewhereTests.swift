import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeChat

/// What a chat makes of what another did.
struct ChangeElsewhereTests {
    private let lobby: RoomName
    private let park: RoomName

    init() throws {
        (lobby, park) = (try RoomName("#lobby"), try RoomName("#park"))
    }

    @Test func nothingIsToldOfWhatIsKnown() throws {
        var conversation = Conversation(me: try Samples.me())
        let changes = conversation.take(try Samples.me())
        #expect(changes == [])
    }

    @Test func beingAwayElsewhereIsShown() throws {
        var conversation = Conversation(me: try Samples.me())
        var me = try Samples.me()
        for away in ["at lunch", "at the dentist", nil] {
            me.away = away
            let changes = conversation.take(me)
            #expect(changes == [.away(away)])
        }
        let changes = conversation.take(me)
        #expect(changes == [])
    }

    @Test func aRoomThatIsLeftElsewhereIsTalkedInNoMore() throws {
        var conversation = Conversation(me: try Samples.me(rooms: ["#lobby", "#park"]))
        let changes = conversation.take(try Samples.me(rooms: ["#park"]))
        #expect(changes == [.left(lobby, wasCurrent: true)])
        #expect(conversation.current == nil && conversation.joined == [park], "no other takes its place")
    }

    @Test func aPrivateRoomThatEverybodyReadsNowIsAnotherRoom() throws {
        var me = try Samples.me()
        me.privateRooms = [lobby]
        var conversation = Conversation(me: me)
        _ = conversation.take(me)
        me.privateRooms = []
        let changes = conversation.take(me)
        #expect(changes == [.left(lobby, wasCurrent: true), .joined(lobby, isPrivate: false)])
        #expect(conversation.current == nil)
    }

    @Test func aRoomThatBecomesPrivateStaysTheOneThatIsTalkedIn() throws {
        var me = try Samples.me()
        var conversation = Conversation(me: me)
        me.privateRooms = [lobby]
        let changes = conversation.take(me)
        #expect(changes == [.becamePrivate(lobby)] && conversation.current == lobby)
    }

    @Test func whatWasJoinedElsewhereIsOpenedWhenItIsJoinedHere() throws {
        var conversation = Conversation(me: try Samples.me())
        _ = conversation.take(try Samples.me(rooms: ["#lobby", "#park"]))
        let isNew = conversation.join(park)
        let isAgain = conversation.join(park)
        #expect(isNew && !isAgain)
    }

    @Test func ofOwnLinesThoseOfOtherFrontsAreShown() async throws {
        let rig = try ChatRig()
        async let end = rig.run()
        func line(_ text: String, by asker: FrontID?) throws -> NodeEvent {
            .message(try Samples.message(text, from: 1, name: "alice", hops: 0).asked(by: asker))
        }
        let other = FrontID(rawValue: rig.front.id.rawValue &+ 1)
        rig.tell(
            try line("typed there", by: other), try line("typed here", by: rig.front.id),
            try line("by a program", by: nil))
        try await rig.until("the others are shown") { rig.screen.output.count == 2 }
        #expect(rig.screen.output == ["<alice> typed there", "<alice> by a program"])
        rig.screen.type("/quit")
        #expect(await end == .done)
    }
}
