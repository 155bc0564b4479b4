import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// Passwords: that of the gateway, and those of accounts.
@Suite struct SignInTests {
    /// `tim`, `tanstaaftanstaaf` (RFC 4616 section 2).
    private static let proof = "AUTHENTICATE AHRpbQB0YW5zdGFhZnRhbnN0YWFm"

    private static func opens(_ rig: GatewayRig) -> Int {
        rig.held.count { if case .opens = $0.2 { true } else { false } }
    }

    // MARK: - The gateway's password comes first

    @Test func nobodyClaimsAnAccountWithoutTheGatewaysPassword() throws {
        var rig = try GatewayRig { $0.password = TypedKey("open") }
        rig.holds = true
        let id = rig.connect()
        rig.say(id, "CAP REQ :sasl", "AUTHENTICATE PLAIN", Self.proof)
        #expect(Self.opens(rig) == 0)
        #expect(rig.heard(id).count { $0.contains(" 904 ") } == 2)
        rig.say(id, "PASS open", "AUTHENTICATE PLAIN", Self.proof)
        #expect(Self.opens(rig) == 1)
    }

    @Test func aWrongPasswordEndsAtOnce() throws {
        var rig = try GatewayRig { $0.password = TypedKey("open") }
        let id = rig.connect()
        rig.say(id, "CAP REQ :sasl", "PASS x", "AUTHENTICATE PLAIN")
        #expect(rig.heard(id).map { $0.split(separator: " ")[1] } == ["CAP", "464", ":Closing"])
        #expect(rig.closed == [id])
    }

    @Test func aHostThatGuessesWaitsOverAllItsConnections() throws {
        var rig = try GatewayRig { $0.password = TypedKey("open") }
        for _ in 0..<10 {
            let id = rig.connect()
            rig.say(id, "PASS x")
        }
        #expect(rig.closed.count == 10)
        let (guesser, owner) = (rig.connect(), rig.connect())
        rig.say(guesser, "PASS y")
        rig.say(owner, "PASS open", "NICK tim", "USER t 0 * :T")
        #expect(rig.closed.count == 10 && rig.heard(owner) == [])
        rig.wait(.seconds(2))
        #expect(rig.closed.count == 11)
        rig.wait(.seconds(2))
        #expect(rig.heard(owner).contains { $0.contains(" 001 tim ") })
    }

    @Test func rightPasswordsAreNotHeldUp() throws {
        var rig = try GatewayRig { $0.password = TypedKey("open") }
        for number in 0..<200 {
            let id = rig.connect()
            rig.say(id, "PASS open", "NICK n\(number)", "USER t 0 * :T")
            #expect(rig.heard(id).contains { $0.contains(" 001 ") })
        }
    }

    // MARK: - Accounts are checked one at a time

    @Test func oneAccountIsCheckedAtATime() throws {
        var rig = try GatewayRig()
        rig.holds = true
        var ids: [ConnectionID] = []
        for _ in 0..<20 {
            let id = rig.connect()
            rig.say(id, "CAP REQ :sasl", "AUTHENTICATE PLAIN", Self.proof)
            ids.append(id)
        }
        #expect(Self.opens(rig) == 1)
        // One is checked, 16 wait, and the others are refused.
        let full = ids.filter { id in rig.heard(id).contains { $0.contains(" 904 ") } }
        #expect(full == Array(ids.suffix(3)))
        rig.handle(.ended(ids[1], "gone"))
        for rank in [0, 2] {
            let (id, ticket, _) = rig.held.removeFirst()
            #expect(id == ids[rank] && rig.held.isEmpty)
            rig.handle(.answered(id, ticket, .success(.says(true))))
        }
    }

    @Test func aCheckOfAClientThatIsGoneHoldsUpNobody() throws {
        var rig = try GatewayRig()
        rig.holds = true
        let (first, second) = (rig.connect(), rig.connect())
        for id in [first, second] { rig.say(id, "CAP REQ :sasl", "AUTHENTICATE PLAIN", Self.proof) }
        rig.handle(.ended(first, "gone"))
        #expect(Self.opens(rig) == 1)
        let (id, ticket, _) = rig.held.removeFirst()
        rig.handle(.answered(id, ticket, .success(.says(true))))
        #expect(rig.held.map(\.0) == [second])
    }

    // MARK: - An account that was left open

    private func signIn(_ rig: inout GatewayRig, _ nick: String) -> ConnectionID {
        let id = rig.connect()
        rig.say(
            id, "CAP LS 302", "NICK \(nick)", "USER t 0 * :T", "CAP REQ :sasl", "AUTHENTICATE PLAIN", Self.proof,
            "CAP END")
        return id
    }

    @Test(arguments: [("tim", "tim"), ("tim", "other"), ("other", "tim")])
    func aRightPasswordTakesOverAtOnce(before: String, after: String) throws {
        var rig = try GatewayRig()
        let old = signIn(&rig, before)
        #expect(rig.heard(old).contains { $0.contains(" 001 \(before) ") })
        let new = signIn(&rig, after)
        #expect(rig.heard(old).last == "ERROR :Closing Link: 127.0.0.1 (You signed in from another client)")
        #expect(rig.closed == [old] && rig.left == [old])
        let heard = rig.heard(new)
        #expect(heard.contains { $0.contains(" 001 \(after) ") } && !heard.contains { $0.contains(" 433 ") })
        #expect(rig.replies(new, "WHOIS \(after)").first?.contains("311 \(after) \(after)") == true)
    }

    @Test func aWrongPasswordTakesOverNothing() throws {
        var rig = try GatewayRig()
        let old = signIn(&rig, "tim")
        rig.claimed["tim"] = "another"
        let new = signIn(&rig, "tim")
        #expect(rig.heard(new).contains { $0.contains(" 433 tim tim ") } && rig.closed == [])
        rig.say(new, "NICK tim2")
        #expect(rig.heard(new).contains { $0.contains(" 001 tim2 ") })
        #expect(rig.replies(old, "PING x") == ["PONG lattice.local :x"])
    }

    /// The node lets an account in again a moment after it left.
    @Test func anAccountThatLeavesJustNowIsAskedForAgain() throws {
        var rig = try GatewayRig()
        rig.claimed["tim"] = "tanstaaftanstaaf"
        let id = rig.connect()
        rig.say(id, "CAP REQ :sasl", "AUTHENTICATE PLAIN", Self.proof, "NICK tim", "USER t 0 * :T")
        rig.holds = true
        rig.say(id, "CAP END")
        let (_, ticket, question) = rig.held.removeFirst()
        #expect(question == .admit(try #require(AccountName("tim")), try PeerName("tim")))
        rig.handle(.answered(id, ticket, .failure(RequestError.other(code: .busy, message: "tim is in already"))))
        #expect(rig.held.isEmpty && rig.closed == [])
        rig.holds = false
        rig.wait(.milliseconds(500))
        #expect(rig.heard(id).contains { $0.contains(" 001 tim ") })
    }

    // MARK: - Nicks of services

    @Test(arguments: ["NickServ", "chanserv", "MemoServ", "SaslServ", "Global"])
    func aNickToWhichPeopleSendPasswordsIsNobodys(nick: String) throws {
        var rig = try GatewayRig()
        let id = rig.connect()
        #expect(rig.replies(id, "NICK \(nick)") == ["432 * \(nick) :This nick is reserved; choose another one"])
        // Somebody of another node with that name gets another nick here.
        let alice = rig.client("alice")
        rig.say(alice, "JOIN #park")
        _ = rig.heard(alice)
        try rig.comes(nick, "#park")
        #expect(rig.heard(alice).first?.hasPrefix(":\(nick)|") == true)
        #expect(rig.replies(alice, "PRIVMSG \(nick) :identify secret").first?.hasPrefix("401 ") == true)
    }

    // MARK: - Places

    @Test func theOldestSilentConnectionGivesWay() throws {
        var rig = try GatewayRig { $0.limits.unregisteredMax = 3 }
        let (speaks, silent, other) = (rig.connect(), rig.connect(), rig.connect())
        rig.say(speaks, "NICK alice")
        let new = rig.connect()
        #expect(rig.closed == [silent])
        rig.say(new, "NICK bob", "USER b 0 * :B")
        #expect(rig.heard(new).contains { $0.contains(" 001 ") })
        // When no silent connection is left, the oldest that began to speak goes.
        _ = (rig.connect(), rig.connect())
        #expect(rig.closed == [silent, other])
    }

    @Test func registeredClientsGiveWayToNobody() throws {
        var rig = try GatewayRig { $0.limits.connectionsMax = 2 }
        _ = (rig.client("alice"), rig.client("bob"))
        let late = rig.connect()
        #expect(rig.closed == [late])
        #expect(rig.heard(late).first?.contains("All 2 places for clients are taken") == true)
    }
}
