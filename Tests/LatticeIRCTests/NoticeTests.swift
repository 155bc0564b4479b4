import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// A notice stays a notice, and nothing answers it.
@Suite struct NoticeTests {
    @Test func aNoticeComesToOthersAsANotice() throws {
        var rig = try GatewayRig()
        let (alice, bob) = (rig.client("alice", "echo-message"), rig.client("bob"))
        for id in [alice, bob] { rig.say(id, "JOIN #park") }
        _ = (rig.heard(alice), rig.heard(bob))
        rig.say(alice, "NOTICE #park :done")
        #expect(
            rig.asked.last
                == .say("done", style: .says, room: try RoomName("#park"), audience: .everybody, isNotice: true))
        #expect(rig.heard(alice).last?.hasSuffix(" NOTICE #park :done") == true)
        let heard = try rig.message("done", from: "~alice")
        let notice = Message(
            record: heard.record, room: heard.room, from: heard.from, name: heard.name, text: heard.text, style: .says,
            at: heard.at, hops: 0, isNotice: true)
        rig.handle(.told(.message(notice)))
        #expect(rig.heard(bob).last?.hasSuffix(" NOTICE #park :done") == true)
        // In what was said before, too.
        rig.answer = { request, _ in
            guard case .history = request else { return GatewayRig.obliging(request) }
            return .success(.answer(.history(HistoryPage(lines: [notice], hasMore: false))))
        }
        let carol = rig.client("carol")
        #expect(rig.replies(carol, "JOIN #park").last?.hasSuffix(" NOTICE #park :[12:34] done") == true)
    }

    @Test func aPrivateNoticeIsOneToo() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        try rig.comes("bob")
        rig.say(alice, "NOTICE bob :done")
        #expect(rig.asked.last == .tell(GatewayRig.peer("bob"), "done", style: .says, isNotice: true))
        let message = try MessageTests.message("built", from: "bob")
        let notice = PrivateMessage(
            number: 6, peer: message.peer, peerName: message.peerName, isMine: false, text: "built", style: .says,
            at: message.at, isLate: false, state: .delivered, isNotice: true)
        _ = rig.heard(alice)
        rig.handle(.deliveredAlone(alice, .privateMessage(notice)))
        #expect(rig.heard(alice).first?.hasSuffix(" NOTICE alice :built") == true)
    }

    @Test(arguments: [
        "NOTICE", "NOTICE bob", "NOTICE nobody :x", "NOTICE #elsewhere :x", "NOTICE mesh :help",
        "NOTICE mesh :\u{1}VERSION\u{1}", "NOTICE nobody :\u{1}PING 1\u{1}", "NOTICE a,b,c,d,e :x",
        "NOTICE &mesh :peers",
        "NOTICE gone :x", "NOTICE carol :x",
    ])
    func nothingAnswersANotice(line: String) throws {
        var rig = try GatewayRig()
        let (alice, carol) = (rig.client("alice"), rig.client("carol"))
        rig.say(carol, "AWAY :lunch")
        try rig.comes("gone")
        try rig.goes("gone")
        rig.answer = { request, _ in
            guard case .tell = request else { return GatewayRig.obliging(request) }
            return .success(.answer(.told(try! MessageTests.message("x", from: "gone", state: .waiting, isMine: true))))
        }
        #expect(rig.replies(alice, line) == [])
        rig.wait(.seconds(5))
        #expect(rig.heard(alice) == [])
        // What is asked behind it is answered.
        #expect(rig.replies(alice, "PING x") == ["PONG lattice.local :x"])
    }

    /// Two programs that answer each line by a notice, as RFC 2812 section 3.3.2 wants it: they fall silent.
    @Test func programsThatAnswerByNoticeFallSilent() throws {
        var rig = try GatewayRig()
        let bots = [rig.client("eins"), rig.client("zwei")]
        for bot in bots { rig.say(bot, "JOIN #park") }
        for bot in bots { _ = rig.heard(bot) }
        let human = rig.client("human")
        rig.say(human, "JOIN #park", "PRIVMSG #park :hello")
        var (lines, record) = (0, UInt8(20))
        var pending = [(text: "hello", from: "~human", isNotice: false)]
        while let line = pending.popLast(), lines < 50 {
            lines += 1
            record += 1
            let message = try rig.message(line.text, from: line.from, record: record)
            rig.handle(
                .told(
                    .message(
                        Message(
                            record: message.record, room: message.room, from: message.from, name: message.name,
                            text: line.text, style: .says, at: message.at, hops: 0, isNotice: line.isNotice))))
            for (bot, name) in zip(bots, ["~eins", "~zwei"]) where name != line.from {
                for heard in rig.heard(bot) where heard.contains(" PRIVMSG #park ") {
                    rig.asked = []
                    rig.say(bot, "NOTICE #park :heard it")
                    guard case .say(let said, _, _) = rig.asked.last else { continue }
                    pending.append((said[0].text, name, said[0].isNotice))
                }
            }
        }
        #expect(lines == 3)
    }
}
