import LatticeAPI
import LatticeCore
import Synchronization
import Testing

@testable import LatticeChat

/// What is urgent, in a chat.
@Suite(.timeLimit(.minutes(10))) struct UrgentTests {
    private func urgent(
        _ number: UInt64, _ text: String, by rank: UInt8 = 2, name: String = "bob"
    ) throws -> NotificationInfo {
        NotificationInfo(
            record: RecordID(Bytes32(words: (number, 0, 0, 0))), kind: .urgent,
            by: PersonInfo(id: Samples.peer(rank), name: name), at: Samples.at, isNew: true,
            room: try RoomName("#lobby"), text: text)
    }

    @Test func theNewestThreeAreKept() throws {
        var pins = UrgentPins()
        func lines(_ unheard: Set<PeerID> = []) -> [String] {
            pins.lines(isUnheard: { unheard.contains($0) }, name: { $0.name ?? "?" })
        }
        #expect(lines().isEmpty)
        for number in UInt64(1)...4 { pins.came(try urgent(number, "line \(number)")) }
        pins.came(try urgent(4, "line 4"))
        let text = "URGENT bob in #lobby: line "
        #expect(lines() == [4, 3, 2].map { "\(text)\($0)" })
        pins.went([RecordID(Bytes32(words: (3, 0, 0, 0)))])
        #expect(lines() == [4, 2].map { "\(text)\($0)" })
        #expect(lines([Samples.peer(2)]).isEmpty)
        pins.take(try (5...9).map { try urgent($0, "two\nrows \($0)") })
        #expect(lines().count == 3 && lines().allSatisfy { !$0.contains("\n") })
    }

    @Test(arguments: [20, 40, 80])
    func aPinFillsOneRow(columns: Int) {
        for text in ["short", String(repeating: "long ", count: 50), String(repeating: "漢字", count: 60), "👩‍👩‍👧 family 🏳️‍🌈"] {
            let rows = UrgentRows.rows(of: ["URGENT bob: \(text)", "URGENT carol: x"], columns: columns, rows: 24)
            #expect(rows.count == 2)
            for row in rows { #expect(DisplayWidth.columns(of: row) == columns, "\(row)") }
            #expect(rows[0].hasSuffix("/dismiss") == (columns >= 40) && !rows[1].contains("/dismiss"))
        }
        #expect(UrgentRows.rows(of: ["a", "b"], columns: columns, rows: 11).count == 1)
        #expect(UrgentRows.rows(of: [], columns: columns, rows: 24).isEmpty)
    }

    @Test func pinsStandAboveThePromptUntilTheyAreDismissed() async throws {
        let (earlier, new) = (try urgent(1, "earlier"), try urgent(2, "the bridge is out"))
        let listed = Mutex([earlier])
        let rig = try ChatRig { request throws(RequestError) in
            if request is ListUrgent { return ListUrgent.Reply(listed.withLock { $0 }) }
            return try await FakeNode.obliging(request)
        }
        rig.tell(.ready(try Samples.me()))
        async let end = rig.run()
        try await rig.until("the earlier one") { rig.screen.context.urgent.count == 1 }
        listed.withLock { $0 = [new, earlier] }
        rig.tell(.notification(new))
        try await rig.until("both") { rig.screen.context.urgent.count == 2 }
        #expect(rig.screen.context.urgent[0].hasSuffix("in #lobby: the bridge is out"))
        #expect(!rig.screen.output.contains { $0.contains("the bridge is out") }, "its line is shown by itself")
        listed.withLock { $0 = [new] }
        rig.tell(.urgentDismissed([earlier.record]))
        try await rig.until("one") { rig.screen.context.urgent.count == 1 }
        // A post that was pinned is gone: the node lists it no more.
        listed.withLock { $0 = [] }
        rig.tell(.changed(.many))
        try await rig.until("none") { rig.screen.context.urgent.isEmpty }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
    }

    @Test func anUrgentLineRingsInEveryRoom() throws {
        var conversation = Conversation(me: try Samples.me(rooms: ["#lobby", "#park"]), countsUnread: true)
        var line = try Samples.message("fire", room: "#park")
        #expect(conversation.heard(.message(line)) == nil, "a usual line is only counted")
        line = try Samples.message("fire!", room: "#park")
        line.isUrgent = true
        guard case .message(_, _, let isCurrentRoom, let isMention, _) = conversation.heard(.message(line)) else {
            Issue.record("an urgent line is shown")
            return
        }
        #expect(!isCurrentRoom && isMention)
    }

    @Test func aFourthIsSaidAsUsualWithANotice() async throws {
        let rig = try ChatRig { request throws(RequestError) in
            if let say = request as? Say {
                return Say.Reply(RecordID(.zero), isWaiting: false, isUrgent: say.isUrgent && say.text == "one")
            }
            return try await FakeNode.obliging(request)
        }
        #expect(await rig.run(typing: ["/urgent one", "/urgent four", "hi", "/urgent"]) == .done)
        let said = await rig.node.requests.compactMap { $0.base as? Say }
        #expect(said.map(\.text) == ["one", "four", "hi"] && said.map(\.isUrgent) == [true, true, false])
        let shown: [String] = rig.screen.error + rig.screen.output
        #expect(shown.count { $0.contains("usual message") } == 1)
        #expect(rig.screen.error.contains { $0.contains("/urgent TEXT") })
    }

    @Test func privateLinesCannotBeUrgent() async throws {
        let rig = try ChatRig()
        rig.tell(try Samples.presence(2, "bob"))
        _ = await rig.run(typing: ["/query bob", "/urgent fire"])
        #expect(await rig.node.requests.allSatisfy { !($0.base is SendPrivateMessage) && !($0.base is Say) })
    }
}
