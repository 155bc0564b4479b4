import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// What comes before what, where several things happen at once.
struct OrderTests {
    private static func words(_ lines: [String]) -> [String] {
        lines.map { line in line.split(separator: " ").dropFirst(line.hasPrefix(":") ? 1 : 0).joined(separator: " ") }
    }

    @Test func whatIsJoinedAfterThePostsChannelIsJoinedOnceThePostsAreThere() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        rig.asked = []
        rig.say(alice, "JOIN #posts,#park")
        let joins = Self.words(rig.heard(alice)).filter { $0.hasPrefix("JOIN") }
        #expect(joins == ["JOIN #posts", "JOIN #park"])
        guard case .posts(.near) = rig.asked.first else {
            Issue.record("posts are asked for first")
            return
        }
        #expect(rig.asked.last != rig.asked.first)
    }

    /// irssi fills up its list of keys with an x; of one channel alone it is a key.
    @Test(arguments: [("#lobby,#camp x,correct-horse", ["-", "correct-horse"]), ("#camp x", ["x"])])
    func aKeyThatStandsInForNoneIsNone(typed: String, expected: [String]) throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        rig.asked = []
        rig.say(alice, "JOIN \(typed)")
        let keys = rig.asked.compactMap { request in
            if case .room(.enter(_, let key)) = request {
                key.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "-"
            } else {
                nil
            }
        }
        #expect(keys == expected)
    }

    @Test func whoQuitsIsHeardBeforeTheyAreGone() throws {
        var rig = try GatewayRig()
        let (alice, bob) = (rig.client("alice"), rig.client("bob"))
        rig.say(alice, "JOIN #park")
        rig.say(bob, "JOIN #park")
        rig.output[bob] = []
        rig.say(alice, "PRIVMSG #park :bye", "QUIT :gone", "PRIVMSG #park :never")
        #expect(rig.heard(bob) == [] && rig.closed == [])
        rig.handle(.told(.message(try rig.message("bye", from: "~alice", record: 9))))
        #expect(Self.words(rig.heard(bob)) == ["PRIVMSG #park :bye", "QUIT :Quit: gone"])
        #expect(rig.closed == [alice])
    }

    /// What they said may not come round, as where the gateway fell behind.
    @Test func whoQuitsGoesInTheEnd() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        rig.say(alice, "JOIN #park", "PRIVMSG #park :bye", "QUIT")
        #expect(rig.closed == [])
        rig.wait(.milliseconds(500))
        #expect(rig.closed == [alice])
    }

    @Test func whoHasANickIsCalledOtherwiseBeforeAnotherTakesIt() throws {
        var rig = try GatewayRig()
        let (alice, watcher) = (rig.client("alice"), rig.client("watcher"))
        try rig.comes("bob", "#park")
        for id in [alice, watcher] { rig.say(id, "JOIN #park") }
        rig.output[watcher] = []
        rig.say(alice, "NICK bob")
        let nicks = rig.heard(watcher).filter { $0.contains(" NICK ") }
        #expect(nicks.count == 2)
        #expect(nicks.first?.hasPrefix(":bob!peer@") == true && nicks.first?.contains("NICK :bob|") == true)
        #expect(nicks.last?.hasPrefix(":alice!alice@") == true && nicks.last?.hasSuffix("NICK :bob") == true)
    }

    @Test func aWaitingMessageIsReportedAfterTwoSeconds() throws {
        var rig = try GatewayRig()
        rig.answer = { request, _ in
            guard case .tell = request else { return GatewayRig.obliging(request) }
            return .success(
                .answer(.told(try! MessageTests.message("psst", from: "bob", state: .waiting, isMine: true))))
        }
        let alice = rig.client("alice")
        try rig.comes("bob")
        let delivered = NodeEvent.privateProgress(
            PrivateProgress(number: 5, peer: GatewayRig.peer("bob"), state: .delivered))
        #expect(rig.replies(alice, "PRIVMSG bob :psst") == [])
        rig.wait(.seconds(1))
        rig.handle(.deliveredAlone(alice, delivered))
        rig.wait(.seconds(2))
        #expect(rig.heard(alice) == [])
        rig.say(alice, "PRIVMSG bob :psst")
        rig.wait(.seconds(2))
        #expect(
            rig.heard(alice).map { $0.contains("bob cannot be reached right now.") } == [true])
        rig.handle(.deliveredAlone(alice, delivered))
        #expect(rig.heard(alice).map { $0.hasSuffix("bob has received your message.") } == [true])
    }

    @Test func whoWroteWithoutEverBeingSeenIsAnswered() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        rig.handle(.deliveredAlone(alice, .privateMessage(try MessageTests.message("are you there?", from: "zed"))))
        #expect(rig.heard(alice).count == 1)
        rig.asked = []
        rig.say(alice, "PRIVMSG zed :now I am")
        #expect(rig.asked == [.tell(GatewayRig.peer("zed"), "now I am", style: .says)])
    }

    @Test func whatABrowserSendsIsNoClient() throws {
        var rig = try GatewayRig()
        let page = rig.connect()
        rig.say(page, "POST / HTTP/1.1", "NICK evil", "USER a b c d")
        #expect(rig.closed == [page] && rig.accounts == [:])
    }

    @Test func withoutBatchesAnswersStandAlone() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice", "labeled-response")
        try rig.comes("bob")
        let lines = rig.replies(alice, "@label=a WHOIS bob")
        #expect(lines.count > 2 && !lines.contains { $0.contains("BATCH") })
    }
}
