import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Answers, emoji, edits and deletions that only some people learn of.
@Suite(.timeLimit(.minutes(10))) struct SealedActsTests {
    private static func room() throws -> RoomName { try RoomName("#den") }

    /// Carol has a private room that bob is in, too.
    private func inDen(_ play: (Camp) async throws -> Void) async throws {
        try await Camp.run { camp in
            let room = try Self.room()
            _ = try await camp.carol.visitor.perform(CreatePrivateRoom(room))
            _ = try await camp.carol.visitor.perform(InviteToRoom(PeerReference(camp.bob.id), name: nil, room))
            try await eventually("the invitation") { !camp.bob.own.roomEvents.isEmpty }
            _ = try await camp.bob.visitor.perform(EnterPrivateRoom(room, key: nil))
            try await play(camp)
        }
    }

    private func history(_ host: any MeshNode) async throws -> [Message] {
        try await host.perform(HistoryQuery(room: try Self.room(), limit: 10)).lines
    }

    @Test func membersOfAPrivateRoomChangeAndAnswerLines() async throws {
        try await inDen { camp in
            let (bob, carol) = (camp.bob.visitor, camp.carol.visitor)
            try await camp.carol.say("at nien", in: "#den")
            try await eventually("the line") { camp.bob.own.lines.count == 1 }
            let line = camp.bob.own.lines[0].record
            let edited = try await carol.perform(EditLine(line, "at nine")).lineInRoom
            #expect(edited?.text == "at nine" && edited?.isEdited == true && edited?.isPrivate == true)
            try await eventually("the edit") { camp.bob.own.changes.map(\.line.text) == ["at nine"] }
            _ = try await bob.perform(ReactToLine(line, "👍"))
            try await eventually("the emoji") {
                camp.carol.own.changes.contains { $0.emoji == "👍" && $0.by == camp.bob.id }
            }
            #expect(try await history(carol).last?.reactions == [LineReaction("👍", by: [camp.bob.id])])
            try await eventually("the notification") {
                camp.carol.own.notifications.contains { $0.kind == .reaction && $0.emoji == "👍" }
            }
            await #expect(throws: RequestError.notYourLine(act: .delete)) {
                _ = try await bob.perform(DeleteLine(line))
            }
            let told = try await carol.perform(ListNotifications()).notifications.first { $0.kind == .reaction }
            #expect(told?.text == "at nine" && told?.room?.text == "#den")
            _ = try await carol.perform(DeleteLine(line))
            try await eventually("the deletion") { camp.bob.own.changes.last?.kind == .deleted }
            #expect(try await carol.perform(ListNotifications()).notifications.allSatisfy { $0.kind != .reaction })
            for host in [bob, carol] as [any MeshNode] {
                let last = try await history(host).last
                #expect(last?.isDeleted == true && last?.text.isEmpty == true && last?.reactions.isEmpty == true)
            }
            await #expect(throws: RequestError.lineDeleted) { _ = try await bob.perform(ReactToLine(line, "🎉")) }
            // The owner of the node is in no such room.
            await #expect(throws: RequestError.unknownLine) { _ = try await camp.here.node.perform(ShowLine(line)) }
            #expect(camp.here.changes.isEmpty)
        }
    }

    @Test func twoPeopleChangeAndAnswerTheirMessages() async throws {
        try await Camp.run { camp in
            let (bob, carol) = (camp.bob.visitor, camp.carol.visitor)
            _ = try await camp.carol.tell("two seats?", camp.bob.id)
            try await eventually("the message") { camp.bob.own.messages.count == 1 }
            let line = try #require(camp.bob.own.messages[0].record)
            let answer = try await bob.perform(
                SendPrivateMessage(PeerReference(camp.carol.id), "one", style: .says, replyTo: line))
            #expect(answer.reply?.text == "two seats?" && answer.reply?.from == camp.carol.id)
            try await eventually("the answer") { camp.carol.own.messages.contains { $0.reply?.text == "two seats?" } }
            _ = try await carol.perform(EditLine(line, "three seats?"))
            try await eventually("the edit") { camp.bob.own.messageChanges.map(\.message.text) == ["three seats?"] }
            _ = try await bob.perform(ReactToLine(line, "🎉"))
            try await eventually("the emoji") {
                camp.carol.own.messageChanges.contains { $0.emoji == "🎉" && $0.by == camp.bob.id }
            }
            _ = try await carol.perform(DeleteLine(line))
            try await eventually("the deletion") { camp.bob.own.messageChanges.last?.kind == .deleted }
            let request = ListPrivateMessages(PeerReference(camp.carol.id), limit: 10)
            let left = try await bob.perform(request).messages
            #expect(left.map(\.text) == ["", "one"] && left.map(\.isDeleted) == [true, false])
            #expect(left[1].reply?.text?.isEmpty == true)
            #expect(try await bob.perform(ListNotifications()).notifications.allSatisfy { $0.kind != .privateMessage })
            await #expect(throws: RequestError.unknownLine) { _ = try await camp.here.node.perform(ShowLine(line)) }
        }
    }

    @Test func anEditReachesWhoWasAwayAndNeverHadTheKey() async throws {
        let (alice, bob) = (try Camper("alice"), try Camper("bob"))
        for _ in 0..<2 { try await Camper.mix([alice, bob]) }
        let told = try await alice.mail.tell(
            bob.peer, SpokenText("at nien", .says), as: alice.home.name, at: Clocks.machine())
        let id = try #require(told.record)
        let line = try #require(try await alice.mail.line(id))
        let said = ChatLine(style: .says, name: alice.home.name, text: "at nine")
        let change = try await alice.mail.act(.edit(said), on: line, at: Clocks.machine())
        #expect(change?.message.text == "at nine")
        // Both records arrive together.
        try await bob.hears(alice)
        let heard = try await bob.mail.history(with: alice.peer, limit: 10)
        #expect(heard.map(\.text) == ["at nine"] && heard.map(\.isEdited) == [true])
    }

    @Test func whatNothingChangesWritesNothing() async throws {
        try await inDen { camp in
            let bob = camp.bob.visitor
            try await camp.carol.say("soup?", in: "#den")
            try await eventually("the line") { camp.bob.own.lines.count == 1 }
            let line = camp.bob.own.lines[0].record
            _ = try await bob.perform(ReactToLine(line, "👍"))
            try await eventually("the emoji") { camp.carol.own.changes.count == 1 }
            let node = camp.here.node
            let before = try await node.perform(ShowStoreStats()).records
            for _ in 0..<3 { _ = try await bob.perform(ReactToLine(line, "👍")) }
            #expect(try await node.perform(ShowStoreStats()).records == before)
            #expect(camp.bob.own.changes.count == 1)
        }
    }

    @Test func membersWhoWereAwayReadOnlyWhatIsLeft() async throws {
        let members = try await Camper.camp(["alice", "bob"])
        let (alice, bob) = (members[0], members[1])
        for text in ["secret", "at nien"] { try await alice.says(text) }
        // They arrive, and are opened after they were changed.
        try await bob.home.takes(from: alice.home, bob.store, alice.store)
        let edit = ChatLine(style: .says, name: alice.home.name, text: "at nine")
        let said = try await alice.desk.history(HistoryQuery(room: Camper.camp, limit: 2)).lines
        for (line, change) in zip(said, [SealedAct.Change.deletion, .edit(edit)]) {
            let stored = try #require(try await alice.desk.line(line.record))
            #expect(try await alice.desk.act(change, on: stored, at: Clocks.machine()) != nil)
        }
        try await bob.hears(alice)
        #expect(bob.lines == ["at nine"] && bob.changes.isEmpty)
        #expect(try await bob.history() == ["", "at nine"])
    }
}
