import LatticeAPI
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeIRC

/// Lines to rooms and to people, and the replies to them.
@Suite struct MessageTests {
    private static func mask(_ nick: String) -> String { "\(nick)!\(nick)@\(GatewayRig.peer("~\(nick)").short).mesh" }
    private static func remote(_ nick: String) -> String { "\(nick)!peer@\(GatewayRig.peer(nick).short).mesh" }

    static func message(
        _ text: String, from name: String, number: Int64 = 5, state: PrivateState = .delivered, isMine: Bool = false,
        isLate: Bool = false
    ) throws -> PrivateMessage {
        PrivateMessage(
            number: number, peer: GatewayRig.peer(name), peerName: try PeerName(name), isMine: isMine, text: text,
            style: .says,
            at: WallTime(milliseconds: 1_795_000_000_123), isLate: isLate, state: state)
    }

    @Test func aLineGoesOutAndComesToOthers() throws {
        var rig = try GatewayRig()
        let (alice, bob) = (rig.client("alice"), rig.client("bob", "server-time message-tags"))
        rig.say(alice, "JOIN #park")
        rig.say(bob, "JOIN #park")
        _ = (rig.heard(alice), rig.heard(bob))
        rig.say(alice, "PRIVMSG #PARK :gr\u{FC}\u{DF} \u{2}dich\u{2}")
        #expect(rig.asked.last == .say("grüß dich", style: .says, room: try RoomName("#park"), audience: .everybody))
        #expect(rig.heard(alice) == [])
        rig.handle(.told(.message(try rig.message("grüß dich", from: "~alice"))))
        #expect(rig.heard(alice) == [])
        #expect(
            rig.heard(bob) == [
                "@time=2026-11-18T11:06:40.123Z;msgid=\(GatewayRig.record(1).hex) :\(Self.mask("alice")) PRIVMSG #park "
                    + ":grüß dich"
            ])
    }

    @Test func whoWantsToSeesWhatItSaid() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice", "echo-message labeled-response batch message-tags")
        rig.say(alice, "JOIN #park")
        let id = GatewayRig.record(9).hex
        #expect(
            rig.replies(alice, "@label=7 PRIVMSG #park :hi") == [
                "@label=7;msgid=\(id) :\(Self.mask("alice")) PRIVMSG #park :hi"
            ])
        #expect(rig.replies(alice, "@label=8 PONG x") == ["@label=8 :lattice.local ACK"])
        let batch = rig.replies(alice, "@label=9 NAMES #park")
        #expect(batch.count == 4 && batch[0].hasPrefix("@label=9 :lattice.local BATCH +b"))
        #expect(batch[1].hasPrefix("@batch=b1 :lattice.local 353 ") && batch[3].contains("BATCH -b1"))
    }

    /// Unasked lines do not get into the answer of a line with a label.
    @Test func whatOthersSayIsNoAnswer() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice", "labeled-response batch")
        rig.say(alice, "JOIN #park")
        try rig.comes("bob", "#park")
        _ = rig.heard(alice)
        rig.holds = true
        rig.say(alice, "@label=1 WHOIS bob")
        rig.handle(.told(.message(try rig.message("between", from: "bob"))))
        #expect(rig.heard(alice) == [":\(Self.remote("bob")) PRIVMSG #park :between"])
        rig.letGo()
        #expect(rig.heard(alice).first?.hasPrefix("@label=1 :lattice.local BATCH") == true)
    }

    @Test func actionsAreActions() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        rig.say(alice, "JOIN #park")
        rig.say(alice, "PRIVMSG #park :\u{1}ACTION waves\u{1}")
        #expect(rig.asked.last == .say("waves", style: .acts, room: try RoomName("#park"), audience: .everybody))
        try rig.comes("bob", "#park")
        _ = rig.heard(alice)
        rig.handle(.told(.message(try rig.message("waves", from: "bob", style: .acts))))
        #expect(rig.heard(alice) == [":\(Self.remote("bob")) PRIVMSG #park :\u{1}ACTION waves\u{1}"])
        #expect(rig.replies(alice, "PRIVMSG #park :\u{1}VERSION\u{1}").first?.hasPrefix("404 ") == true)
        #expect(
            rig.replies(alice, "PRIVMSG mesh :\u{1}PING 7\u{1}").first?.hasSuffix("NOTICE alice :\u{1}PING 7\u{1}")
                == true)
    }

    @Test func aTextOfManyLinesIsManyLinesAndCommandsNobody() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice", "message-tags")
        rig.say(alice, "JOIN #park")
        try rig.comes("bob", "#park")
        _ = rig.heard(alice)
        let text = "one\r\nQUIT :x\n\u{1}DCC SEND\u{1}\n" + String(repeating: "ä", count: 500)
        rig.handle(.told(.message(try rig.message(text, from: "bob"))))
        let heard = rig.heard(alice)
        #expect(heard.count == 6)
        #expect(heard.allSatisfy { $0.contains(" PRIVMSG #park :") && $0.utf8.count <= 512 + 80 })
        #expect(heard.filter { $0.contains("msgid=") }.count == 1 && heard[2].hasSuffix(":DCC SEND"))
    }

    private static let lines: [(String, [String])] = [
        ("PRIVMSG", ["411 alice :Say to whom: PRIVMSG #room :text"]),
        ("PRIVMSG bob", ["412 alice :There is no text to send"]),
        ("PRIVMSG bob :", ["412 alice :There is no text to send"]),
        ("PRIVMSG bob :\u{2}", ["412 alice :There is no text to send"]),
        ("PRIVMSG nobody :x", ["401 alice nobody :Nobody here has this nick"]), ("TAGMSG #park", []),
        ("NOTICE mesh :x", []),
        ("PRIVMSG a,b,c,d,e :x", ["407 alice a,b,c,d,e :Too many targets: at most 4"]),
        ("PRIVMSG mesh :?", [":mesh!mesh@lattice.local NOTICE alice :Unknown command. Type help for a list."]),
    ]

    @Test(arguments: lines) func whatCannotBeSaidIsTold(line: String, answers: [String]) throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        try rig.comes("bob")
        #expect(rig.replies(alice, line) == answers)
    }

    @Test func aLineToOnePersonIsAPrivateMessage() throws {
        var rig = try GatewayRig()
        rig.answer = { request, _ in
            guard case .tell = request else { return GatewayRig.obliging(request) }
            return .success(.answer(.told(try! Self.message("psst", from: "bob", state: .relayed, isMine: true))))
        }
        let alice = rig.client("alice", "echo-message")
        try rig.comes("bob")
        #expect(rig.replies(alice, "PRIVMSG bob :psst") == [":\(Self.mask("alice")) PRIVMSG bob :psst"])
        #expect(rig.asked.last == .tell(GatewayRig.peer("bob"), "psst", style: .says))
        rig.handle(.deliveredAlone(alice, .privateMessage(try Self.message("yes?", from: "bob"))))
        #expect(rig.heard(alice) == [":\(Self.remote("bob")) PRIVMSG alice :yes?"])
        // Their window is named by it.
        try rig.comes("rob", key: "bob", [])
        #expect(rig.heard(alice) == [":\(Self.remote("bob")) NICK :rob"])
    }

    /// As CHATHISTORY dates it, though the answer takes a while.
    @Test func theEchoOfAMessageIsDatedAsItIsKept() throws {
        var rig = try GatewayRig()
        let message = try Self.message("psst", from: "bob", state: .delivered, isMine: true)
        rig.answer = { request, _ in
            guard case .tell = request else { return GatewayRig.obliging(request) }
            return .success(.answer(.told(message)))
        }
        let alice = rig.client("alice", "echo-message server-time")
        try rig.comes("bob")
        rig.date = WallTime(milliseconds: message.at.milliseconds + 3)
        #expect(
            rig.replies(alice, "PRIVMSG bob :psst") == [
                "@time=\(RFC3339.string(message.at)) :\(Self.mask("alice")) PRIVMSG bob :psst"
            ])
    }

    @Test func whoIsAwayGetsItLaterAndTheSenderKnows() throws {
        var rig = try GatewayRig()
        rig.answer = { request, _ in
            guard case .tell = request else { return GatewayRig.obliging(request) }
            return .success(.answer(.told(try! Self.message("psst", from: "bob", state: .waiting, isMine: true))))
        }
        let alice = rig.client("alice")
        try rig.comes("bob")
        try rig.goes("bob")
        #expect(
            rig.replies(alice, "PRIVMSG bob :psst") == [
                ":mesh!mesh@lattice.local NOTICE alice :bob is away. Your message is delivered when they come back."
            ])
        for state in [PrivateState.relayed, .delivered, .delivered] {
            rig.handle(
                .deliveredAlone(
                    alice, .privateProgress(PrivateProgress(number: 5, peer: GatewayRig.peer("bob"), state: state))))
        }
        #expect(rig.heard(alice) == [":mesh!mesh@lattice.local NOTICE alice :bob has received your message."])
    }

    /// Without a page the line is as it was said.
    @Test(arguments: [nil, "http://127.0.0.1:8080/"])
    func aLineWithAFileSaysWhereToGetIt(page: String?) throws {
        var rig = try GatewayRig { $0.page = { page } }
        let alice = rig.client("alice")
        rig.say(alice, "JOIN #a_ä")
        try rig.comes("bob", "#a_ä")
        rig.output[alice] = []
        func line(_ file: RecordID?, _ number: UInt8) throws -> NodeEvent {
            var line = Message(
                record: GatewayRig.record(number), room: try RoomName("#a_ä"), from: GatewayRig.peer("bob"),
                name: try PeerName("bob"), text: "shares the file map.txt (10 bytes)", style: .acts, at: rig.date,
                hops: 1)
            line.file = file
            return .message(line)
        }
        rig.handle(.told(try line(GatewayRig.record(40), 41)))
        rig.handle(.told(try line(nil, 42)))
        let file = PrivateMessage(
            number: 3, peer: GatewayRig.peer("bob"), peerName: try PeerName("bob"), isMine: false,
            text: "shares the file plan.txt (10 bytes)", style: .acts, at: rig.date, isLate: false, state: .delivered,
            file: GatewayRig.record(43))
        rig.handle(.deliveredAlone(alice, .privateMessage(file)))
        let (room, person) = (
            page.map { ": \($0)#/rooms/a_%C3%A4" } ?? "",
            page.map { ": \($0)#/people/\(GatewayRig.peer("bob").hex)" } ?? ""
        )
        let heard = rig.heard(alice).filter { $0.contains("\u{1}ACTION") }
        #expect(heard.count == 3)
        #expect(heard.first?.hasSuffix(":\u{1}ACTION shares the file map.txt (10 bytes)\(room)\u{1}") == true)
        #expect(heard.dropFirst().first?.hasSuffix(":\u{1}ACTION shares the file map.txt (10 bytes)\u{1}") == true)
        #expect(heard.last?.hasSuffix(":\u{1}ACTION shares the file plan.txt (10 bytes)\(person)\u{1}") == true)
    }

    @Test func aFileThatIsThereIsToldByItsName() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        try rig.comes("bob")
        rig.handle(
            .deliveredAlone(
                alice,
                .privateProgress(
                    PrivateProgress(number: 5, peer: GatewayRig.peer("bob"), state: .delivered, file: "map.pdf"))))
        #expect(rig.heard(alice).last == ":mesh!mesh@lattice.local NOTICE alice :bob has map.pdf.")
    }

    @Test func manyTargetsAreToldOneAfterTheOther() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        rig.say(alice, "JOIN #a,#b")
        rig.asked = []
        rig.holds = true
        rig.say(alice, "PRIVMSG #a,#b,nobody :x", "PING after")
        #expect(rig.held.count == 1)
        rig.output[alice] = []
        rig.letGo()
        #expect(
            rig.asked.prefix(2) == [
                .say("x", style: .says, room: try RoomName("#a"), audience: .everybody),
                .say("x", style: .says, room: try RoomName("#b"), audience: .everybody),
            ])
        #expect(rig.heard(alice).map { $0.split(separator: " ")[1] } == ["401", "PONG"])
    }

    // MARK: - History

    private static func historian() throws -> GatewayRig {
        var rig = try GatewayRig()
        let lines = try (1...5).map { number in
            Message(
                record: GatewayRig.record(UInt8(number)), room: try RoomName("#park"), from: GatewayRig.peer("bob"),
                name: try PeerName("bob"), text: "line \(number)", style: .says,
                at: WallTime(milliseconds: 1_795_000_000_000 + Int64(number) * 1_000), hops: 1)
        }
        rig.answer = { request, _ in
            guard case .history(let query) = request else { return GatewayRig.obliging(request) }
            guard let end = query.before.map({ id in lines.firstIndex { $0.record == id } }) ?? lines.count else {
                return .success(.answer(.history(HistoryPage(lines: [], hasMore: false))))
            }
            return .success(
                .answer(.history(HistoryPage(lines: Array(lines[..<end].suffix(query.limit)), hasMore: false))))
        }
        return rig
    }

    @Test func whoCannotAskForThePastIsShownIt() throws {
        var rig = try Self.historian()
        let (plain, dated) = (rig.client("plain"), rig.client("dated", "server-time batch message-tags"))
        #expect(rig.replies(plain, "JOIN #park").last?.hasSuffix("PRIVMSG #park :[12:34] line 5") == true)
        let heard = rig.replies(dated, "JOIN #park")
        #expect(heard.count == 10 && heard[3] == "BATCH +b1 chathistory #park")
        #expect(
            heard[8] == "@batch=b1;time=2026-11-18T11:06:45.000Z;msgid=\(GatewayRig.record(5).hex) "
                + ":\(Self.remote("bob")) PRIVMSG #park :line 5")
    }

    private static let wishes: [(String, [Int])] = [
        ("LATEST #park * 2", [4, 5]), ("BEFORE #park msgid=\(record(3)) 10", [1, 2]),
        ("BEFORE #park timestamp=2026-11-18T11:06:43.000Z 1", [2]), ("AFTER #park msgid=\(record(3)) 10", [4, 5]),
        ("AFTER #park timestamp=2026-11-18T11:06:41.500Z 2", [2, 3]), ("AROUND #park msgid=\(record(3)) 3", [2, 3, 4]),
        ("BETWEEN #park msgid=\(record(1)) msgid=\(record(5)) 2", [2, 3]),
        ("BETWEEN #park msgid=\(record(5)) msgid=\(record(1)) 2", [3, 4]), ("LATEST #park msgid=\(record(4)) 10", [5]),
    ]

    private static func record(_ number: UInt8) -> String { GatewayRig.record(number).hex }

    @Test(arguments: wishes) func thePastIsThere(wish: String, numbers: [Int]) throws {
        var rig = try Self.historian()
        let alice = rig.client("alice", "draft/chathistory batch")
        #expect(rig.replies(alice, "JOIN #park").count == 3)
        let heard = rig.replies(alice, "CHATHISTORY \(wish)")
        #expect(heard.first == "BATCH +b1 chathistory #park" && heard.last == "BATCH -b1")
        #expect(
            heard.dropFirst().dropLast()
                == numbers.map { "@batch=b1 :\(Self.remote("bob")) PRIVMSG #park :[12:34] line \($0)" }[...])
    }

    @Test(arguments: [
        ("", "NEED"), ("FLY #park * 1", "UNKNOWN_COMMAND FLY #park"),
        ("LATEST #park *", "NEED_MORE_PARAMS LATEST #park"),
        ("LATEST #park * x", "INVALID_PARAMS LATEST #park"), ("BEFORE #park 7 1", "INVALID_PARAMS BEFORE #park"),
        ("LATEST #other * 5", "INVALID_TARGET LATEST #other"), ("LATEST nobody * 5", "INVALID_TARGET LATEST nobody"),
    ])
    func whatIsAskedWronglyOfThePastFails(wish: String, answer: String) throws {
        var rig = try Self.historian()
        let alice = rig.client("alice", "draft/chathistory batch")
        rig.say(alice, "JOIN #park")
        let heard = rig.replies(alice, "CHATHISTORY \(wish)")
        #expect(heard.count == 1 && heard[0].hasPrefix("FAIL CHATHISTORY \(wish.isEmpty ? "UNKNOWN_COMMAND" : answer)"))
    }

    @Test(arguments: ["BEFORE", "AFTER", "AROUND", "LATEST", "BETWEEN"])
    func aMessageThatNobodyKnowsIsNoPointOfThePast(kind: String) throws {
        var rig = try Self.historian()
        let alice = rig.client("alice", "draft/chathistory batch")
        rig.say(alice, "JOIN #park")
        let unknown = String(repeating: "77", count: 32)
        let points = kind == "BETWEEN" ? "msgid=\(Self.record(1)) msgid=\(unknown)" : "msgid=\(unknown)"
        let heard = rig.replies(alice, "CHATHISTORY \(kind) #park \(points) 10")
        #expect(heard.count == 1 && heard[0].hasPrefix("FAIL CHATHISTORY MESSAGE_ERROR \(kind) #park \(points) :"))
        // Nothing is before the first line, which is somewhat else.
        let none = rig.replies(alice, "CHATHISTORY BEFORE #park msgid=\(Self.record(1)) 10")
        #expect(none.map { $0.split(separator: " ")[0] } == ["BATCH", "BATCH"])
        let message = rig.replies(alice, "CHATHISTORY \(kind) bob msgid=message-7 msgid=message-8 10")
        #expect(message.allSatisfy { $0.hasPrefix("FAIL CHATHISTORY") })
    }

    @Test(arguments: ["2026-02-30", "2026-04-31", "2025-02-29", "2026-00-10", "2026-01-00"])
    func aDayThatIsNoneIsNoDate(day: String) throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice", "draft/read-marker")
        let date = "timestamp=\(day)T00:00:00.000Z"
        #expect(
            rig.replies(alice, "MARKREAD #park \(date)") == [
                "FAIL MARKREAD INVALID_PARAMS #park \(date) :Not a date; write timestamp=2026-11-20T14:02:00.000Z"
            ])
        #expect(RFC3339.read("2024-02-29T00:00:00.000Z") != nil)
    }

    @Test func conversationsAreListed() throws {
        var rig = try Self.historian()
        let history = rig.answer
        rig.answer = { request, id in
            guard case .conversations = request else { return history(request, id) }
            return .success(.answer(.privateHistory([try! Self.message("x", from: "carol")])))
        }
        let alice = rig.client("alice", "draft/chathistory batch")
        rig.say(alice, "JOIN #park")
        let heard = rig.replies(
            alice, "CHATHISTORY TARGETS timestamp=2026-01-01T00:00:00.000Z timestamp=2027-01-01T00:00:00.000Z 10")
        #expect(
            heard == [
                "BATCH +b1 draft/chathistory-targets",
                "@batch=b1 :lattice.local CHATHISTORY TARGETS carol 2026-11-18T11:06:40.123Z",
                "@batch=b1 :lattice.local CHATHISTORY TARGETS #park 2026-11-18T11:06:45.000Z", "BATCH -b1",
            ])
    }

    @Test func howFarIsReadIsKeptForAnAccount() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice", "draft/read-marker")
        #expect(rig.replies(alice, "MARKREAD #park") == ["MARKREAD #park *"])
        #expect(
            rig.replies(alice, "MARKREAD #park timestamp=2026-01-01T00:00:00.000Z").first?.hasPrefix("FAIL") == true)
        let tim = rig.connect()
        rig.say(
            tim, "CAP REQ :sasl draft/read-marker", "AUTHENTICATE PLAIN", "AUTHENTICATE AHRpbQB0YW5zdGFhZnRhbnN0YWFm")
        rig.say(tim, "NICK tim", "USER t 0 * :T", "CAP END")
        #expect(
            rig.replies(tim, "MARKREAD #Park timestamp=2026-01-01T00:00:00.000Z") == [
                "MARKREAD #Park timestamp=2026-01-01T00:00:00.000Z"
            ])
        #expect(
            rig.replies(tim, "MARKREAD #park timestamp=2025-01-01T00:00:00.000Z") == [
                "MARKREAD #park timestamp=2026-01-01T00:00:00.000Z"
            ])
        let kept = try #require(rig.kept)
        #expect(IRCReadMarks(kept.text) == kept && kept.text == "1767225600000 tim #park\n")
        #expect(IRCReadMarks("x\n1 \n1 a b\nx y z").text == "1 a b\n")
        #expect(rig.replies(tim, "JOIN #park")[1] == "MARKREAD #park timestamp=2026-01-01T00:00:00.000Z")
    }

    // MARK: - Around the conversation

    @Test func theMeshTellsOfItselfInItsChannel() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        #expect(rig.replies(alice, "JOIN &mesh").map { $0.prefix(7) }.dropFirst() == ["332 ali", "353 ali", "366 ali"])
        try rig.comes("bob")
        rig.handle(.told(.notice(Notice(.problem, code: "diskFull", "mend it"))))
        rig.handle(.told(.sync(SyncProgress(isCaughtUp: false, fetched: 0, total: 9, peers: 1))))
        rig.handle(.told(.sync(SyncProgress(isCaughtUp: false, fetched: 5, total: 9, peers: 1))))
        rig.handle(.told(.sync(SyncProgress(isCaughtUp: true, fetched: 9, total: 9, peers: 1))))
        let mesh = ":mesh!mesh@lattice.local"
        #expect(
            rig.heard(alice) == [
                "\(mesh) PRIVMSG &mesh :bob is here.", "\(mesh) NOTICE &mesh :mend it",
                "\(mesh) PRIVMSG &mesh :Catching up: 9 records missing.",
                "\(mesh) PRIVMSG &mesh :Caught up: 9 new records.",
            ])
        #expect(rig.replies(alice, "PRIVMSG &mesh :peers") == ["\(mesh) NOTICE &mesh :bob  1 hop  no room"])
        let help = IRCService.help + IRCContacts.help + IRCPosts.help
        #expect(rig.replies(alice, "PRIVMSG mesh :help").count == help.count)
    }

    @Test func postsNearAreLinesOfThePostsChannel() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice", "message-tags")
        var item = ItemInfo(
            id: GatewayRig.record(3), short: "030303", kind: .post, state: .shown, author: GatewayRig.peer("bob"),
            authorName: "bob", at: rig.date, expires: rig.date)
        (item.text, item.place, item.metres) = ("look", Coordinate(latitude: 52.5, longitude: -13.25), 12.4)
        rig.say(alice, "JOIN #posts")
        _ = rig.heard(alice)
        rig.handle(.deliveredAlone(alice, .posted(item)))
        #expect(
            rig.heard(alice) == [
                "@msgid=\(GatewayRig.record(3).hex);+lattice/lat=52.5;+lattice/lon=-13.25 :\(Self.remote("bob")) "
                    + "PRIVMSG #posts :look – 12 m from here"
            ])
    }

    @Test func whoeverLookedAwayIsToldThatLinesAreLost() throws {
        var rig = try GatewayRig()
        let (alice, bob) = (rig.client("alice"), rig.client("bob"))
        rig.say(alice, "JOIN #park")
        _ = rig.heard(alice)
        rig.handle(.told(.missed(12)))
        #expect(rig.heard(alice).first?.contains("lost 12 events") == true)
        #expect(rig.heard(bob) == [])
    }
}
