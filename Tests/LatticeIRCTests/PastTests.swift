import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// What was said before: how far back it goes, and how it is dated.
@Suite struct PastTests {
    private static let start: Int64 = 1_795_000_000_000

    /// A room with this number of lines, one a second.
    private static func rig(lines count: Int) throws -> GatewayRig {
        var rig = try GatewayRig()
        let room = try RoomName("#park")
        let name = try PeerName("bob")
        let lines = (0..<count).map { number in
            Message(
                record: RecordID(Bytes32(words: (UInt64(number), 1, 1, 1))), room: room, from: GatewayRig.peer("bob"),
                name: name, text: "m\(number)", style: .says,
                at: WallTime(milliseconds: start + Int64(number) * 1_000), hops: 1)
        }
        rig.answer = { request, _ in
            guard case .history(let query) = request else { return GatewayRig.obliging(request) }
            let end = query.before.map { id in lines.firstIndex { $0.record == id } ?? 0 } ?? lines.count
            let page = lines[..<end].suffix(query.limit)
            return .success(.answer(.history(HistoryPage(lines: Array(page), hasMore: page.startIndex > 0))))
        }
        return rig
    }

    private static func date(_ number: Int) -> String {
        "timestamp=\(RFC3339.string(WallTime(milliseconds: start + Int64(number) * 1_000)))"
    }

    private static let wishes: [(String, ClosedRange<Int>)] = [
        ("AFTER #park timestamp=2020-01-01T00:00:00.000Z 3", 0...2), ("AFTER #park \(date(100)) 3", 101...103),
        ("BEFORE #park \(date(100)) 3", 97...99), ("BEFORE #park \(date(8_999)) 2", 8_997...8_998),
        ("AROUND #park \(date(100)) 4", 98...101), ("BETWEEN #park \(date(10)) \(date(8_000)) 2", 11...12),
        ("BETWEEN #park \(date(8_000)) \(date(10)) 2", 7_998...7_999), ("LATEST #park * 2", 8_998...8_999),
        ("LATEST #park \(date(8_990)) 2", 8_998...8_999),
        ("AFTER #park msgid=\(RecordID(Bytes32(words: (50, 1, 1, 1))).hex) 2", 51...52),
    ]

    @Test(arguments: wishes) func thePastReachesBackToItsBeginning(wish: String, numbers: ClosedRange<Int>) throws {
        var rig = try Self.rig(lines: 9_000)
        let alice = rig.client("alice", "draft/chathistory batch server-time")
        rig.say(alice, "JOIN #park")
        let heard = rig.replies(alice, "CHATHISTORY \(wish)").dropFirst().dropLast()
        #expect(heard.map { $0.split(separator: ":").last.map(String.init) } == numbers.map { "m\($0)" })
    }

    /// irssi asks for server-time and shows the present time all the same; WeeChat asks for message-tags, too, and shows it.
    @Test(arguments: [
        ("", true), ("multi-prefix extended-join setname server-time", true), ("batch", true),
        ("message-tags server-time", false), ("batch server-time", false),
    ])
    func linesOfThePastAreDatedForClientsThatShowNoDate(capabilities: String, isDated: Bool) throws {
        var rig = try Self.rig(lines: 3)
        let alice = rig.client("alice", capabilities)
        let heard = rig.replies(alice, "JOIN #park").filter { $0.contains(" PRIVMSG ") }
        #expect(heard.count == 3 && heard.allSatisfy { $0.contains(" PRIVMSG #park :[12:34] m") == isDated })
    }

    @Test func linesOfAnotherDayHaveTheirDay() throws {
        var rig = try GatewayRig { settings in
            settings.dateText = { $0.milliseconds < 1_795_000_000_000 ? "2026-11-17 23:05" : "2026-11-18 12:34" }
        }
        let alice = rig.client("alice")
        rig.say(alice, "JOIN #park")
        _ = rig.heard(alice)
        rig.date = WallTime(milliseconds: 1_794_000_000_000)
        let old = try rig.message("waves", from: "bob", style: .acts, isLate: true)
        rig.date = WallTime(milliseconds: 1_795_000_000_123)
        rig.handle(.told(.message(old)))
        #expect(rig.heard(alice).last?.hasSuffix(":\u{1}ACTION [2026-11-17 23:05] waves\u{1}") == true)
    }

    /// What a client sees of its own line is dated as the node keeps it.
    @Test func theEchoHasTheDateOfTheLine() throws {
        var rig = try GatewayRig()
        let date = WallTime(milliseconds: rig.date.milliseconds + 7)
        rig.answer = { request, _ in
            guard case .say = request else { return GatewayRig.obliging(request) }
            return .success(.answer(.said([GatewayRig.said(GatewayRig.record(9), at: date)])))
        }
        let alice = rig.client("alice", "echo-message server-time")
        rig.say(alice, "JOIN #park")
        #expect(rig.replies(alice, "PRIVMSG #park :hi").first?.hasPrefix("@time=\(RFC3339.string(date)) ") == true)
    }

    @Test func aPrivateMessageHasOneIdForBoth() throws {
        var rig = try GatewayRig()
        let record = GatewayRig.record(7)
        func message(isMine: Bool) throws -> PrivateMessage {
            PrivateMessage(
                number: isMine ? 4 : 9, peer: GatewayRig.peer("bob"), peerName: try PeerName("bob"), isMine: isMine,
                text: "psst", style: .says, at: rig.date, isLate: false, state: .delivered, record: record)
        }
        let (mine, theirs) = (try message(isMine: true), try message(isMine: false))
        rig.answer = { request, _ in
            guard case .tell = request else { return GatewayRig.obliging(request) }
            return .success(.answer(.told(mine)))
        }
        let alice = rig.client("alice", "echo-message message-tags")
        try rig.comes("bob")
        #expect(rig.replies(alice, "PRIVMSG bob :psst").first?.hasPrefix("@msgid=\(record.hex) ") == true)
        rig.handle(.deliveredAlone(alice, .privateMessage(theirs)))
        #expect(rig.heard(alice).first?.hasPrefix("@msgid=\(record.hex) ") == true)
    }
}
