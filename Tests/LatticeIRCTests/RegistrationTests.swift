import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// Who a client is, said in any order.
@Suite struct RegistrationTests {
    @Test(arguments: [["NICK alice", "USER a 0 * :A"], ["USER a 0 * :A", "NICK alice"]])
    func nickAndUserLetSomebodyIn(lines: [String]) throws {
        var rig = try GatewayRig()
        let id = rig.connect()
        for line in lines { rig.say(id, line) }
        let heard = rig.heard(id)
        let short = GatewayRig.peer("~alice").short
        #expect(heard.first == ":lattice.local 001 alice :Welcome to the mesh camp, alice!a@\(short).mesh")
        let numbers = heard.map { $0.split(separator: " ")[1] }
        #expect(
            numbers == [
                "001", "002", "003", "004", "005", "005", "005", "251", "252", "253", "254", "255", "265", "266", "375",
                "372", "372", "372", "372", "372", "372", "372", "376", "NOTICE",
            ])
        #expect(rig.accounts[id]?.text == "~alice")
    }

    /// irssi joins before it is in.
    @Test func whatIsSaidTooEarlyIsToldAndDropsNobody() throws {
        var rig = try GatewayRig()
        let id = rig.connect()
        #expect(rig.replies(id, "JOIN :") == ["451 * :Register first, with NICK and USER"])
        #expect(rig.replies(id, "FLY") == ["451 * :Register first, with NICK and USER"])
        #expect(rig.replies(id, "PING x") == ["PONG lattice.local :x"])
        rig.say(id, "NICK alice", "USER a 0 * :A")
        #expect(rig.heard(id).contains { $0.contains(" 001 ") })
        #expect(rig.closed == [])
    }

    @Test func capabilitiesHoldUpUntilTheyAreSettled() throws {
        var rig = try GatewayRig()
        let id = rig.connect()
        let listed = rig.replies(id, "CAP LS 302")
        #expect(listed.count == 1 && listed[0].hasPrefix("CAP * LS :") && listed[0].contains(" sasl=PLAIN "))
        rig.say(id, "NICK alice", "USER a 0 * :A")
        #expect(rig.heard(id) == [])
        #expect(rig.replies(id, "CAP REQ :batch no-such") == ["CAP alice NAK :batch no-such"])
        #expect(rig.replies(id, "CAP REQ :batch server-time") == ["CAP alice ACK :batch server-time"])
        #expect(rig.replies(id, "CAP LIST") == ["CAP alice LIST :batch cap-notify server-time"])
        #expect(rig.replies(id, "CAP REQ :-batch") == ["CAP alice ACK :-batch"])
        #expect(rig.replies(id, "CAP FLY") == ["410 alice FLY :Unknown CAP command; use LS, LIST, REQ or END"])
        #expect(rig.replies(id, "CAP END").first?.hasPrefix("001 ") == true)
        #expect(rig.replies(id, "CAP LS").first?.contains(" sasl=PLAIN ") == true)
    }

    @Test func oldClientsAreToldNoValues() throws {
        var rig = try GatewayRig()
        let id = rig.connect()
        #expect(rig.replies(id, "CAP LS").first?.contains(" sasl ") == true)
    }

    private static let nickRule =
        #"A nick has 1 to 32 bytes: letters, digits and -_[]{}\`^|, and does not begin with a digit or -"#
    private static let nicks: [(String, String)] = [
        ("NICK", "431 * :Say which nick you want: NICK alice"),
        ("NICK :", "431 * :Say which nick you want: NICK alice"),
        ("NICK 1a", "432 * 1a :\(nickRule)"), ("NICK :a b", "432 * a_b :\(nickRule)"),
        ("NICK mesh", "433 * mesh :This nick is in use; choose another one"),
        ("NICK Bob", "433 * Bob :This nick is in use; choose another one"),
    ]

    @Test(arguments: nicks) func aNickThatCannotBeIsRefused(line: String, answer: String) throws {
        var rig = try GatewayRig()
        _ = rig.client("bob")
        let id = rig.connect()
        #expect(rig.replies(id, line) == [answer])
    }

    @Test func anAccountInUseIsANickInUse() throws {
        var rig = try GatewayRig()
        let id = rig.connect()
        rig.holds = true
        rig.say(id, "NICK alice", "USER a 0 * :A")
        #expect(rig.held.map(\.2) == [.isClaimed(try #require(AccountName("alice")))])
        let (_, first, _) = rig.held.removeFirst()
        rig.handle(.answered(id, first, .success(.says(false))))
        let (_, second, question) = rig.held.removeFirst()
        #expect(question == .admit(try #require(AccountName("~alice")), try PeerName("alice")))
        rig.handle(.answered(id, second, .failure(RequestError.other(code: .busy, message: "is in already"))))
        #expect(rig.heard(id) == [":lattice.local 433 alice alice :This nick is in use; choose another one"])
        rig.holds = false
        rig.say(id, "NICK alice_")
        #expect(rig.heard(id).first?.contains(" 001 alice_ ") == true)
    }

    /// RFC 4616 section 2, in base 64.
    @Test func anAccountIsShownByItsPassword() throws {
        var rig = try GatewayRig()
        rig.claimed["tim"] = "tanstaaftanstaaf"
        let id = rig.connect()
        rig.say(id, "CAP REQ :sasl", "NICK tim", "USER t 0 * :T")
        rig.output[id] = []
        #expect(rig.replies(id, "AUTHENTICATE EXTERNAL").map { $0.prefix(3) } == ["908", "904"])
        rig.output[id] = []
        rig.say(id, "AUTHENTICATE PLAIN")
        #expect(rig.heard(id) == ["AUTHENTICATE +"])
        #expect(rig.replies(id, "AUTHENTICATE AHRpbQB0YW5zdGFhZnRhbnN0YWFm").map { $0.prefix(3) } == ["900", "903"])
        rig.say(id, "CAP END")
        #expect(rig.accounts[id]?.text == "tim")
        #expect(rig.replies(id, "AUTHENTICATE PLAIN").map { $0.prefix(3) } == ["907"])
    }

    @Test func threeWrongPasswordsEndIt() throws {
        var rig = try GatewayRig()
        rig.claimed["tim"] = "other"
        let id = rig.connect()
        rig.say(id, "CAP REQ :sasl")
        for _ in 1...3 { rig.say(id, "AUTHENTICATE PLAIN", "AUTHENTICATE AHRpbQB0YW5zdGFhZnRhbnN0YWFm") }
        #expect(rig.heard(id).filter { $0.contains(" 904 ") }.count == 3)
        #expect(rig.closed == [id])
    }

    @Test(arguments: ["AUTHENTICATE !!!!", "AUTHENTICATE +", "AUTHENTICATE AAAA", "AUTHENTICATE AH50aW0AeA=="])
    func whatIsNoProofIsNone(line: String) throws {
        var rig = try GatewayRig()
        let id = rig.connect()
        rig.say(id, "CAP REQ :sasl", "AUTHENTICATE PLAIN")
        #expect(rig.replies(id, line).map { $0.prefix(3) } == ["904"])
    }

    @Test func aProofCanBeGivenUpAndHasItsLimit() throws {
        var rig = try GatewayRig()
        let id = rig.connect()
        rig.say(id, "CAP REQ :sasl", "AUTHENTICATE PLAIN")
        #expect(rig.replies(id, "AUTHENTICATE *").map { $0.prefix(3) } == ["906"])
        let piece = String(repeating: "A", count: 400)
        rig.say(id, "AUTHENTICATE PLAIN")
        #expect(
            rig.replies(id, "AUTHENTICATE \(piece)", "AUTHENTICATE \(piece)", "AUTHENTICATE \(piece)", "AUTHENTICATE A")
                .map { $0.prefix(3) } == ["905"])
    }

    /// Without the password nobody can take the name or nick of an account.
    @Test func aClaimedNickIsForItsOwner() throws {
        var rig = try GatewayRig()
        rig.claimed["tim"] = "x"
        let id = rig.connect()
        rig.say(id, "NICK Tim", "USER t 0 * :T")
        #expect(rig.heard(id).first?.contains(" 433 Tim Tim ") == true)
        rig.say(id, "NICK tom")
        #expect(rig.heard(id).first?.contains(" 001 tom ") == true)
        #expect(rig.replies(id, "NICK tim") == ["433 tom tim :This nick is in use; choose another one"])
    }

    @Test func aServersPasswordIsAskedOfAll() throws {
        var rig = try GatewayRig { $0.password = TypedKey("open") }
        for (lines, isIn) in [([], false), (["PASS x"], false), (["PASS open"], true)] {
            let id = rig.connect()
            for line in lines { rig.say(id, line) }
            rig.say(id, "NICK n\(id.number)", "USER a 0 * :A")
            #expect(rig.heard(id).contains { $0.contains(" 001 ") } == isIn)
            #expect(rig.closed.contains(id) != isIn)
        }
    }

    @Test func whoSaysNothingIsLetGoOf() throws {
        var rig = try GatewayRig()
        let silent = rig.connect()
        let alice = rig.client("alice")
        rig.wait(.seconds(60))
        #expect(
            rig.heard(silent) == ["ERROR :Closing Link: 127.0.0.1 (Your client did not register within 60 seconds)"])
        #expect(rig.closed == [silent])
        rig.wait(.seconds(60))
        #expect(rig.heard(alice) == ["PING :lattice.local"])
        rig.wait(.seconds(59))
        rig.say(alice, "PONG x")
        rig.wait(.seconds(60))
        #expect(rig.heard(alice) == [])
        rig.wait(.seconds(60))
        rig.wait(.seconds(60))
        #expect(
            rig.heard(alice) == [
                "PING :lattice.local", "ERROR :Closing Link: 127.0.0.1 (Ping timeout: 180 seconds)",
            ])
        #expect(rig.left == [alice])
    }

    @Test func thereIsRoomForSoMany() throws {
        var rig = try GatewayRig { $0.limits.unregisteredMax = 3 }
        let ids = (0..<4).map { _ in rig.connect() }
        let words = ["ERROR :Closing Link: 127.0.0.1 (Others are waiting, and your client did not register)"]
        #expect(rig.closed == [ids[0]])
        #expect(ids.map { rig.output[$0] ?? [] } == [words, [], [], []])
        // However many more come, no more than three are open.
        let more = (0..<20).map { _ in rig.connect() }
        #expect(rig.closed == Array((ids + more).dropLast(3)))
        #expect(more.dropLast(3).allSatisfy { rig.output[$0] == words })
    }

    @Test func aNewNickIsToldAndTheKeyStays() throws {
        var rig = try GatewayRig()
        let (alice, bob) = (rig.client("alice"), rig.client("bob"))
        rig.say(alice, "JOIN #park")
        rig.say(bob, "JOIN #park")
        _ = (rig.heard(alice), rig.heard(bob))
        let host = "\(GatewayRig.peer("~alice").short).mesh"
        rig.say(alice, "NICK anna")
        #expect(rig.heard(alice) == [":alice!alice@\(host) NICK :anna"])
        #expect(rig.heard(bob) == [":alice!alice@\(host) NICK :anna"])
        #expect(rig.asked.contains(.rename(try PeerName("anna"))))
        #expect(rig.replies(bob, "NAMES #park").first == "353 bob = #park :anna bob")
        #expect(rig.replies(bob, "NICK ANNA") == ["433 bob ANNA :This nick is in use; choose another one"])
        rig.say(alice, "NICK Anna")
        #expect(rig.heard(alice) == [":anna!alice@\(host) NICK :Anna"])
    }

    @Test func whatThePageOfNumbersSaysIsTrue() throws {
        var rig = try GatewayRig()
        let id = rig.client("alice")
        let tokens = rig.replies(id, "VERSION").filter { $0.hasPrefix("005 ") }.flatMap {
            $0.split(separator: " ").dropFirst(2).prefix { !$0.hasPrefix(":") }
        }
        for token in [
            "CASEMAPPING=ascii", "CHANTYPES=#&", "NICKLEN=32", "NETWORK=camp", "UTF8ONLY", "WHOX", "BOT=B",
            "CHATHISTORY=100", "MSGREFTYPES=msgid,timestamp", "MONITOR=100", "LINELEN=512", "CHANLIMIT=#:64,&:1",
        ] {
            #expect(tokens.contains(Substring(token)), "\(token)")
        }
    }
}
