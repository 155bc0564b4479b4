import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// What the shell prints of the past, and of how it stands.
struct PastLinesTests {
    private let pipe = CommandContext(now: Samples.at)
    private let terminal = CommandContext(now: Samples.at, isTerminal: true)

    private func line(_ text: String, from rank: UInt8 = 2, daysAgo: Int64 = 0, style: SpeechStyle = .says) throws
        -> Message
    {
        try Samples.message(
            text, from: rank, style: style,
            at: WallTime(milliseconds: Samples.at.milliseconds - daysAgo * 86_400_000))
    }

    @Test func aTerminalHasDaysBetweenLinesAndAPipeInEach() throws {
        let query = HistoryQuery(room: try RoomName("#lobby"), limit: 2)
        let page = HistoryPage(
            lines: [try line("hi", daysAgo: 1), try line("waves", from: 3, style: .acts)], hasMore: true)
        let (two, three) = (Samples.peer(2).short, Samples.peer(3).short)
        let printed = HistoryLines.output(page, query, terminal)
        #expect(
            printed.lines == [
                "── yesterday ──", "09:30  bob#\(two)    hi", "── today ──", "09:30  * bob#\(three)  waves",
            ])
        #expect(printed.remarks == ["More: add -n 4"])
        #expect(
            HistoryLines.output(page, query, pipe).lines == [
                "2026-11-20 09:30 <bob#\(two)> hi", "2026-11-21 09:30 * bob#\(three) waves",
            ])
        #expect(printed.json.count == 2 && printed.json[0].contains(#""history":true"#))
    }

    @Test func whatWasDoneToALineIsShown() throws {
        let query = HistoryQuery(room: try RoomName("#lobby"), limit: 9)
        var (edited, answer) = (try line("at nine"), try line("fine"))
        edited.isEdited = true
        edited.reactions = [LineReaction("👍", by: [Samples.peer(3), Samples.peer(4)])]
        answer.reply = LineReference(edited)
        let page = HistoryPage(lines: [edited, answer, try line("never").deleted], hasMore: false)
        #expect(
            HistoryLines.output(page, query, terminal).lines == [
                "09:30  bob  at nine (edited) [👍 2]", "09:30  bob  (to bob) fine",
                "09:30  bob  (deleted by its author)",
            ])
    }

    @Test func anEmptyHistoryIsAnAnswer() throws {
        let query = HistoryQuery(room: try RoomName("#park"), limit: 50)
        let output = HistoryLines.output(HistoryPage(lines: [], hasMore: false), query, pipe)
        #expect(output.remarks == ["No messages in #park yet."] && output.exitCode == 0)
    }

    @Test(arguments: Samples.hostileTexts)
    func noLineOfThePastActsOnAScreen(text: String) throws {
        let query = HistoryQuery(room: try RoomName("#lobby"), limit: 50)
        let page = HistoryPage(lines: [try line(text), try line(text, style: .acts)], hasMore: false)
        for context in [pipe, terminal] {
            for line in HistoryLines.output(page, query, context).lines {
                #expect(!line.unicodeScalars.contains(where: Samples.isForbidden), "\(line.debugDescription)")
            }
        }
        let status = SyncStatus(
            progress: nil, caughtUpAt: nil, groups: [.init(name: text, records: 1, since: nil)],
            peers: [
                .init(id: Samples.peer(2), name: text, isConnected: true, comparedAt: nil, gained: 0, given: 0)
            ])
        for line in SyncLines.output(status, terminal).lines {
            #expect(!line.unicodeScalars.contains(where: Samples.isForbidden), "\(line.debugDescription)")
        }
    }

    @Test func aStatusSaysWhatIsKeptAndWhoGaveIt() {
        let status = SyncStatus(
            progress: SyncProgress(isCaughtUp: false, fetched: 3, total: 9, peers: 1), caughtUpAt: Samples.at,
            groups: [
                .init(name: "chat", records: 214, since: nil), .init(name: "posts", records: 7, since: Samples.at),
            ],
            peers: [
                .init(
                    id: Samples.peer(2), name: "bob", isConnected: true, comparedAt: Samples.at, gained: 12, given: 4),
                .init(id: Samples.peer(3), name: "eve", isConnected: false, comparedAt: nil, gained: 0, given: 0),
            ])
        let output = SyncLines.output(status, pipe)
        #expect(
            output.lines == [
                "not caught up yet: 3 of 9 records", "", "KEPT   RECORDS  SINCE", "chat   214      all",
                "posts  7        2026-11-21 09:30", "", "PEER  STATE      LAST SYNC         RECEIVED  SENT",
                "bob   connected  2026-11-21 09:30  12        4", "eve   away       never             0         0",
            ])
        let (bob, eve) = (Samples.peer(2).hex, Samples.peer(3).hex)
        #expect(
            output.json == [
                #"{"event":"sync_status","caught_up":false,"fetched":3,"total":9,"#
                    + #""caught_up_at":"2026-11-21T09:30:00.250Z","groups":[{"name":"chat","records":214,"since":null},"#
                    + #"{"name":"posts","records":7,"since":"2026-11-21T09:30:00.250Z"}],"peers":["#
                    + #"{"id":"\#(bob)","name":"bob","connected":true,"compared_at":"2026-11-21T09:30:00.250Z","#
                    + #""gained":12,"given":4},{"id":"\#(eve)","name":"eve","connected":false,"compared_at":null,"#
                    + #""gained":0,"given":0}]}"#
            ])
    }

    @Test func whereNoNodeRunsTheLastTimeIsTold() {
        func first(_ caughtUpAt: WallTime?) -> String? {
            SyncLines.output(SyncStatus(progress: nil, caughtUpAt: caughtUpAt, groups: [], peers: []), pipe).lines.first
        }
        #expect(first(Samples.at) == "last caught up 2026-11-21 09:30")
        #expect(first(nil) == "never caught up")
    }

    @Test func aRuleIsToldInWords() throws {
        #expect(KeepLines.lines(.everything) == ["Everything is kept."])
        let rule = RetentionRule(groups: [.people, .chat], rooms: [try RoomName("#park")], days: 30)
        #expect(
            KeepLines.lines(rule) == [
                "from others only: chat, people", "chat only from: #park",
                "from others nothing older than 30 days", "What you wrote is always kept.",
            ])
        #expect(
            KeepLines.object(rule).description
                == ##"{"event":"keep","only":["chat","people"],"rooms":["#park"],"days":30}"##)
        #expect(KeepLines.object(.everything).description == #"{"event":"keep","only":null,"rooms":null,"days":null}"#)
    }

    @Test func theBarFillsAsRecordsCome() {
        func bar(_ fetched: Int, _ total: Int) -> String {
            SyncPhrases.bar(SyncProgress(isCaughtUp: false, fetched: fetched, total: total, peers: 1))
        }
        #expect(bar(0, 214) == "catching up 0/214 ▱▱▱▱▱▱▱▱")
        #expect(bar(213, 214) == "catching up 213/214 ▰▰▰▰▰▰▰▱")
        #expect(bar(214, 214) == "catching up 214/214 ▰▰▰▰▰▰▰▰")
        #expect(bar(9, 3).hasSuffix("▰▰▰▰▰▰▰▰") && bar(0, 0).hasSuffix("▱▱▱▱▱▱▱▱"))
    }
}
