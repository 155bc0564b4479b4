import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// What a chat shows of what was said before, and of what comes late.
@Suite(.timeLimit(.minutes(10)))
struct ChatFrontPastTests {
    private static let day: Int64 = 86_400_000

    private static func line(_ text: String, from rank: UInt8 = 2, daysAgo: Int64 = 0, isLate: Bool = false) throws
        -> Message
    {
        try Samples.message(
            text, from: rank, name: rank == 1 ? "alice" : "bob", hops: 0,
            at: WallTime(milliseconds: Samples.at.milliseconds - daysAgo * day), isLate: isLate)
    }

    private static func answering(_ lines: [Message], hasMore: Bool = false) -> FakeNode.Answering {
        { request throws(RequestError) in
            guard let query = request as? HistoryQuery else { return try await FakeNode.obliging(request) }
            let kept = lines.filter { $0.room == query.room }
            return HistoryPage(lines: kept.suffix(query.limit), hasMore: hasMore || kept.count > query.limit)
        }
    }

    /// What is shown after the first line until something holds.
    private func shown(_ rig: ChatRig, until holds: @escaping () -> Bool, _ act: () throws -> Void) async throws
        -> [String]
    {
        async let end = rig.run()
        rig.tell(.ready(try Samples.me()))
        try act()
        try await rig.until("it is shown", holds)
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        return rig.screen.shown.flatMap { $0.error + $0.output }.filter { !$0.hasPrefix("* you are") }
    }

    // MARK: - History

    @Test func theFirstRoomBeginsWithWhatWasSaidThereUnderItsDays() async throws {
        let past = [
            try Self.line("old", daysAgo: 400), try Self.line("mine", from: 1, daysAgo: 1), try Self.line("today"),
        ]
        let rig = try ChatRig(answering: Self.answering(past))
        let lines = try await shown(rig, until: { rig.screen.output.count == 4 }) {
            rig.tell(.message(try Samples.message("new")), .message(past[2]))
        }
        #expect(
            lines == [
                "── Fri 17 Oct 2025 ──", "09:30 <bob> old", "── yesterday ──", "09:30 <alice> mine", "── today ──",
                "09:30 <bob> today", "<bob> new",
            ])
        #expect(
            await rig.node.requests == [
                ListPeers(), ListConversations(), HistoryQuery(room: try RoomName("#lobby"), limit: 50),
            ])
    }

    @Test func linesOfYesterdayEndWithToday() async throws {
        let rig = try ChatRig(answering: Self.answering([try Self.line("old", daysAgo: 1)]))
        let lines = try await shown(rig, until: { rig.screen.error.count == 3 }) {}
        #expect(lines == ["── yesterday ──", "09:30 <bob> old", "── today ──"])
    }

    @Test func aStoreThatCannotBeReadIsNoMatterUntilSomebodyAsks() async throws {
        let rig = try ChatRig { request throws(RequestError) in
            guard request is HistoryQuery else { return try await FakeNode.obliging(request) }
            throw RequestError.other(code: .damaged, message: "the store is damaged")
        }
        let lines = try await shown(rig, until: { rig.screen.error.count == 2 }) { rig.screen.type("/history") }
        #expect(lines == ["lattice: the store is damaged"])
    }

    @Test func aRoomIsEnteredWithItsHistoryBeforeAnythingNew() async throws {
        let old = try Samples.message("old", room: "#park")
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let rig = try ChatRig { request throws(RequestError) in
            guard let query = request as? HistoryQuery else { return try await FakeNode.obliging(request) }
            guard query.room == old.room else { return HistoryPage(lines: [], hasMore: false) }
            for await _ in entered { break }
            return HistoryPage(lines: [old], hasMore: false)
        }
        async let end = rig.run()
        rig.tell(.ready(try Samples.me()))
        rig.screen.type("/join park")
        try await rig.until("the history is asked for") {
            await rig.node.requests.contains(HistoryQuery(room: old.room, limit: 50))
        }
        rig.tell(.message(old), .message(try Samples.message("new", room: "#park")))
        enter.finish()
        try await rig.until("the new line is shown") { rig.screen.output.count == 2 }
        rig.screen.type("/join lobby", "/join park", "/history")
        try await rig.until("the history is shown once more") { rig.screen.output.count == 3 }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(rig.screen.output == ["09:30 <bob> old", "<bob> new", "09:30 <bob> old"])
    }

    @Test func anHistoryThatIsAskedForSaysWhatThereIs() async throws {
        let lines = try (1...60).map { try Self.line("line \($0)") }
        let rig = try ChatRig(answering: Self.answering(lines))
        async let end = rig.run()
        rig.tell(.ready(try Samples.me()))
        try await rig.until("the past is shown") { rig.screen.output.count == 50 }
        rig.screen.type("/history 2", "/history 60", "/history #park")
        try await rig.until("it is reported") { rig.screen.error.contains { $0.contains("No messages in #park") } }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        let told = rig.screen.shown.flatMap { $0.error + $0.output }
        let asked = told.drop { $0 != "… earlier lines: /history 4" }
        #expect(
            asked.prefix(3) == ["… earlier lines: /history 4", "09:30 <bob> line 59", "09:30 <bob> line 60"])
        let count = 1 + 2 + 60 + 1
        #expect(asked.count == count)
        #expect(told.last == "No messages in #park yet.")
    }

    @Test func whoIsIgnoredIsLeftOutOfThePast() async throws {
        let lines = [try Self.line("unheard"), try Self.line("heard", from: 3)]
        let rig = try ChatRig(answering: Self.answering(lines))
        async let end = rig.run()
        rig.tell(try Samples.linked(2, "bob"))
        try await rig.until("bob is known") { !rig.screen.error.isEmpty }
        rig.screen.type("/ignore bob", "/history")
        try await rig.until("the history is shown") { !rig.screen.output.isEmpty }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(rig.screen.output == ["09:30 <bob#\(Samples.peer(3).short)> heard"])
    }

    // MARK: - Late lines

    @Test func whatComesLateIsShownInTheOrderOfItsRoomWithoutABell() async throws {
        let lines = try (1...4).map { try Self.line("alice \($0)", daysAgo: 1, isLate: true) }
        let rig = try ChatRig(answering: Self.answering(lines))
        async let end = rig.run()
        for number in [3, 1, 0, 2] { rig.tell(.message(lines[number])) }
        rig.tell(.sync(SyncProgress(isCaughtUp: true, fetched: 4, total: 4, peers: 2)))
        try await rig.until("it is reported") { rig.screen.error.contains { $0.hasPrefix("* caught up") } }
        rig.tell(.message(lines[0]), .message(try Samples.message("alice!")))
        try await rig.until("the new line is shown") { rig.screen.output.count == 5 }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        let expected = (1...4).map { "09:30 (late) <bob> alice \($0)" }
        #expect(rig.screen.output == expected + ["<bob> alice!"])
        #expect(rig.screen.error == ["── yesterday ──", "── today ──", "* caught up: 4 records from 2 peers"])
        let bells = rig.screen.shown.filter(\.rings)
        #expect(bells.isEmpty)
    }

    @Test func ofManyLateLinesTheLastAreShownAndTheRestIsCounted() async throws {
        let lines = try (1...213).map { try Self.line("line \($0)", isLate: true) }
        let between = try Self.line("said in time")
        let rig = try ChatRig(answering: Self.answering(Array(lines[..<200]) + [between] + Array(lines[200...])))
        async let end = rig.run()
        for line in lines { rig.tell(.message(line)) }
        rig.tell(.sync(SyncProgress(isCaughtUp: true, fetched: 213, total: 213, peers: 3)))
        try await rig.until("it is reported") { rig.screen.error.count == 2 }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(rig.screen.output == (164...213).map { "09:30 (late) <bob> line \($0)" })
        #expect(
            rig.screen.error == ["… 163 earlier lines: /history 214", "* caught up: 213 records from 3 peers"])
    }

    @Test func withoutAStoreLateLinesAreOrderedByTheirDates() async throws {
        let rig = try ChatRig { request throws(RequestError) in
            guard request is HistoryQuery else { return try await FakeNode.obliging(request) }
            throw RequestError.other(code: .storeFailed, message: "no store")
        }
        async let end = rig.run()
        rig.tell(
            .message(try Self.line("two", daysAgo: 1, isLate: true)),
            .message(try Self.line("one", daysAgo: 2, isLate: true)),
            .sync(SyncProgress(isCaughtUp: true, fetched: 0, total: 0, peers: 1)))
        try await rig.until("they are shown") { rig.screen.output.count == 2 }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(rig.screen.output == ["09:30 (late) <bob> one", "09:30 (late) <bob> two"])
    }

    @Test func theEndOfInputShowsWhatIsGathered() async throws {
        let rig = try ChatRig(isInteractive: false)
        async let end = rig.run()
        rig.tell(.message(try Self.line("one", isLate: true)), .missed(1))
        try await rig.until("it was heard") { !rig.screen.error.isEmpty }
        rig.screen.put([.endOfInput])
        #expect(await end == .done)
        #expect(rig.screen.output == ["09:30 (late) <bob> one"])
    }

    @Test func manyPostsThatCameLateAreANumber() async throws {
        let rig = try ChatRig()
        async let end = rig.run()
        for number in 0..<12 { rig.tell(.posted(PostSamples.item(UInt8(number), "Water"))) }
        rig.tell(.sync(SyncProgress(isCaughtUp: true, fetched: 0, total: 0, peers: 1)))
        try await rig.until("they are notified") { !rig.screen.error.isEmpty }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(rig.screen.error == ["* 12 new posts near you while you were away: /near"])
    }

    @Test func aProgramIsToldOfEverythingAsItComes() async throws {
        let old = try Self.line("old")
        let rig = try ChatRig(isJSON: true, answering: Self.answering([old]))
        async let end = rig.run()
        let half = SyncProgress(isCaughtUp: false, fetched: 1, total: 30, peers: 1)
        rig.tell(
            .ready(try Samples.me()), .message(old), .sync(half), .message(try Self.line("late", isLate: true)),
            .sync(SyncProgress(isCaughtUp: true, fetched: 30, total: 30, peers: 1)))
        try await rig.until("all of it is reported") { rig.screen.output.count == 5 }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(
            rig.screen.output[1].hasSuffix(#""text":"old","at":"2026-11-21T09:30:00.250Z","hops":0,"history":true}"#))
        #expect(rig.screen.output[2] == #"{"event":"sync","caught_up":false,"fetched":1,"total":30,"peer_count":1}"#)
        #expect(rig.screen.output[3].hasSuffix(#""hops":0,"late":true}"#))
        #expect(rig.screen.output[4] == #"{"event":"sync","caught_up":true,"fetched":30,"total":30,"peer_count":1}"#)
    }

    // MARK: - How far it is

    @Test func aBarIsShownWhileMuchIsMissing() async throws {
        let rig = try ChatRig()
        async let end = rig.run()
        rig.tell(
            .sync(SyncProgress(isCaughtUp: false, fetched: 120, total: 214, peers: 3)),
            .sync(SyncProgress(isCaughtUp: true, fetched: 214, total: 214, peers: 3)))
        try await rig.until("it is reported") { !rig.screen.error.isEmpty }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(rig.screen.progress == ["catching up 120/214 ▰▰▰▰▱▱▱▱", nil])
        // Without a progress bar the end is reported, too.
        #expect(rig.screen.error == ["* caught up: 214 records from 3 peers"])
    }

    @Test func whoAsksToCompareIsAnswered() async throws {
        let rig = try ChatRig { request throws(RequestError) in
            guard request is ShowSyncStatus else { return try await FakeNode.obliging(request) }
            return SyncStatus(
                progress: SyncProgress(isCaughtUp: true, fetched: 0, total: 0, peers: 1), caughtUpAt: nil,
                groups: [], peers: [])
        }
        async let end = rig.run()
        rig.screen.type("/sync")
        try await rig.until("nobody is there") { rig.screen.error.count == 1 }
        rig.tell(try Samples.linked(2, "bob"))
        try await rig.until("bob is there") { rig.screen.error.count == 2 }
        rig.screen.type("/sync", "/sync status")
        try await rig.until("it is reported") { rig.screen.error.last?.hasPrefix("* caught up") == true }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(
            rig.screen.error == [
                "nobody is connected; sync starts as soon as somebody is", "* bob is connected",
                "caught up", "", "KEPT  RECORDS  SINCE", "", "Not synced with anybody yet.",
                "* caught up: nothing new from 1 peer",
            ])
    }
}
