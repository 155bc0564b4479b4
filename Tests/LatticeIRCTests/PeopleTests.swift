import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// Who is who, and what a gateway lets one client do.
@Suite struct PeopleTests {
    private static func mask(_ nick: String) -> String { "\(nick)!\(nick)@\(GatewayRig.peer("~\(nick)").short).mesh" }

    @Test func whoisTellsKeyWayAndWhetherItIsVerified() throws {
        var rig = try GatewayRig()
        let bob = GatewayRig.peer("bob")
        rig.answer = { request, _ in
            switch request {
            case .peers:
                let info = PeerInfo(
                    id: bob, prefix: nil, name: "bob", state: .notConnected, hops: 2, via: GatewayRig.peer("carol"),
                    isHere: true)
                return .success(.answer(.peers([info])))
            case .known(.find(PeerReference(bob.hex))):
                return .success(.answer(.known(.person(KnownPerson(id: bob, verified: WallTime(milliseconds: 1))))))
            default: return GatewayRig.obliging(request)
            }
        }
        let alice = rig.client("alice")
        try rig.comes("bob", key: "bob", ["#park"], hops: 2)
        try rig.comes("carol")
        #expect(
            rig.replies(alice, "WHOIS bob") == [
                "311 alice bob peer \(bob.short).mesh * :bob", "319 alice bob :#park",
                "312 alice bob lattice.local :Somewhere in the mesh", "320 alice bob :has the key \(bob.hex)",
                "320 alice bob :is 2 hops away, reached through carol",
                "320 alice bob :is verified by the owner of this node", "318 alice bob :End of /WHOIS list",
            ])
        let numbers = rig.replies(alice, "WHOIS lattice.local alice").map { $0.prefix(3) }
        #expect(numbers == ["311", "312", "320", "320", "320", "317", "318"])
        #expect(rig.replies(alice, "WHOIS nobody").map { $0.prefix(3) } == ["401", "318"])
        #expect(rig.replies(alice, "WHOIS mesh").map { $0.prefix(3) } == ["311", "312", "335", "318"])
    }

    @Test func whoTellsWhoIsInARoom() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        let (own, other) = (GatewayRig.peer("~alice").short, GatewayRig.peer("bob").short)
        try rig.comes("bob", "#park")
        rig.say(alice, "JOIN #park", "MODE alice +B")
        #expect(
            rig.replies(alice, "WHO #park") == [
                "352 alice #park alice \(own).mesh lattice.local alice HB :0 Real alice",
                "352 alice #park peer \(other).mesh lattice.local bob H :1 bob", "315 alice #park :End of WHO list",
            ])
        // What weechat asks for.
        #expect(
            rig.replies(alice, "WHO #park %tcuhsnfdar,42").first
                == "354 alice 42 #park alice \(own).mesh lattice.local alice HB 0 0 :Real alice")
        #expect(rig.replies(alice, "WHO b*").count == 2)
        #expect(rig.replies(alice, "WHO nobody") == ["315 alice nobody :End of WHO list"])
    }

    private static func short(_ nick: String) -> String { GatewayRig.peer("~\(nick)").short }

    private static let queries: [(String, [String])] = [
        ("ISON bob alice :x mesh", ["303 alice :bob alice mesh"]),
        ("ISON", ["461 alice ISON :Incomplete command; HELP ISON shows how it is written"]),
        ("USERHOST alice nobody", ["302 alice :alice=+alice@\(short("alice")).mesh"]),
        ("WHOWAS x", ["406 alice x :Nobody had this nick", "369 alice x :End of WHOWAS"]),
        ("MODE alice", ["221 alice +"]), ("MODE alice +i", []),
        ("MODE alice +x", ["501 alice :Unknown mode; use +B, which marks you as a bot"]),
        ("MODE bob", ["502 alice :You can only change your own modes"]),
        ("MODE x", ["401 alice x :Nobody here has this nick"]),
        ("FLY a", ["421 alice FLY :Unknown command; HELP lists all"]),
        ("TIME", ["391 alice lattice.local :2026-11-18T11:06:40.123Z"]),
        ("USER a b c d", ["462 alice :You are already registered"]),
        ("PASS x", ["462 alice :You are already registered"]),
        ("PING", ["409 alice :PING needs a token"]), ("PING :a b", ["PONG lattice.local :a b"]),
        ("HELP NOSUCH", ["524 alice NOSUCH :No help on this; HELP lists the commands"]),
        ("USERS", ["446 alice :USERS is not available; use WHO"]),
        ("STATS u", ["242 alice :Server Up 0 days 00:00:00", "219 alice u :End of /STATS report"]),
        ("SETNAME", ["461 alice SETNAME :Incomplete command; HELP SETNAME shows how it is written"]),
    ]

    @Test(arguments: queries) func whatIsAskedIsAnswered(line: String, answers: [String]) throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        _ = rig.client("bob")
        #expect(rig.replies(alice, line) == answers)
    }

    @Test func everyCommandHasHelp() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        for command in IRCVerb.allCases {
            #expect(rig.replies(alice, "HELP \(command.rawValue)").map { $0.prefix(3) } == ["704", "705", "706"])
        }
        #expect(rig.replies(alice, "HELP").last?.hasPrefix("706 ") == true)
    }

    @Test func nicksAreWatched() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        try rig.comes("bob")
        let bob = "bob!peer@\(GatewayRig.peer("bob").short).mesh"
        #expect(rig.replies(alice, "MONITOR + Bob,carol,1x") == ["730 alice :\(bob)", "731 alice :carol"])
        try rig.goes("bob")
        #expect(rig.heard(alice) == [":lattice.local 731 alice :bob"])
        _ = rig.client("carol")
        #expect(rig.heard(alice) == [":lattice.local 730 alice :\(Self.mask("carol"))"])
        #expect(rig.replies(alice, "MONITOR L") == ["732 alice :Bob,carol", "733 alice :End of MONITOR list"])
        #expect(rig.replies(alice, "MONITOR - BOB", "MONITOR S") == ["730 alice :\(Self.mask("carol"))"])
        let many = (0..<120).map { "n\($0)" }.joined(separator: ",")
        let heard = rig.replies(alice, "MONITOR C", "MONITOR + \(many.prefix(470))")
        #expect(heard.contains { $0.hasPrefix("731 ") })
    }

    @Test func aRealNameCanChange() throws {
        var rig = try GatewayRig()
        let (alice, bob) = (rig.client("alice", "setname"), rig.client("bob", "setname"))
        rig.say(alice, "JOIN #park")
        rig.say(bob, "JOIN #park")
        _ = rig.heard(bob)
        #expect(rig.replies(alice, "SETNAME :New name") == [":\(Self.mask("alice")) SETNAME :New name"])
        #expect(rig.heard(bob) == [":\(Self.mask("alice")) SETNAME :New name"])
        let long = String(repeating: "x", count: 151)
        #expect(rig.replies(alice, "SETNAME :\(long)").first?.hasPrefix("FAIL SETNAME INVALID_REALNAME") == true)
    }

    // MARK: - Limits

    @Test func whatIsTooLongOrNoTextIsRefusedAndTheClientStays() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        rig.handle(.line(alice, nil))
        rig.handle(.line(alice, Array(String(repeating: "x", count: 600).utf8)))
        rig.handle(.line(alice, [0x41, 0xFF]))
        rig.handle(.line(alice, [0x41, 0]))
        let tooLong = ":lattice.local 417 alice :Your line is too long: at most 512 bytes, and 4096 of tags"
        #expect(
            rig.heard(alice) == [
                tooLong, tooLong,
                ":lattice.local FAIL * INVALID_UTF8 :Your line is not UTF-8; set your client to UTF-8",
                ":lattice.local FAIL * INVALID_MESSAGE :Your line contains a NUL or a line break",
            ])
        #expect(rig.closed == [])
    }

    @Test func whoFloodsWaitsAndIsLetGoOfInTheEnd() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        for number in 0..<1_300 { rig.say(alice, "PING \(number)") }
        let first = rig.heard(alice).count
        #expect((990...1_000).contains(first))
        rig.wait(.seconds(1))
        #expect(rig.heard(alice).count == 100)
        for number in 0..<10_000 { rig.say(alice, "JOIN #r\(number)") }
        #expect(
            rig.heard(alice).last
                == "ERROR :Closing Link: 127.0.0.1 (Excess Flood: send at most 1000 lines at once)")
        #expect(rig.closed == [alice] && rig.left == [alice])
    }

    @Test func whoNeverReadsIsLetGoOf() throws {
        var rig = try GatewayRig()
        let (alice, bob) = (rig.client("alice"), rig.client("bob"))
        rig.say(alice, "JOIN #park")
        rig.say(bob, "JOIN #park")
        _ = rig.heard(bob)
        rig.handle(.overflowed(alice))
        #expect(
            rig.heard(alice).last == "ERROR :Closing Link: 127.0.0.1 (SendQ exceeded: your client reads too slowly)")
        #expect(rig.heard(bob) == [":\(Self.mask("alice")) QUIT :SendQ exceeded: your client reads too slowly"])
    }

    @Test func whoGoesWhileTheNodeIsAskedIsNotLetIn() throws {
        var rig = try GatewayRig()
        let id = rig.connect()
        rig.say(id, "NICK alice")
        rig.holds = true
        rig.say(id, "USER a 0 * :A")
        let claim = rig.held.removeFirst()
        rig.handle(.answered(id, claim.1, .success(.says(false))))
        let admission = rig.held.removeFirst()
        rig.handle(.ended(id, "gone"))
        rig.handle(.answered(id, admission.1, .success(.admitted(GatewayRig.peer("~alice")))))
        #expect(rig.left == [id] && rig.gateway.people.isEmpty)
        rig.holds = false
        #expect(rig.client("alice") != id)
    }

    @Test func theEndIsToldToAll() throws {
        var rig = try GatewayRig()
        let (alice, stranger) = (rig.client("alice"), rig.connect())
        rig.handle(.stopping)
        for id in [alice, stranger] {
            #expect(rig.heard(id) == ["ERROR :Closing Link: 127.0.0.1 (The gateway is shutting down)"])
        }
        #expect(Set(rig.closed) == [alice, stranger])
    }

    /// Whatever clients and the mesh send: every line is valid, nicks are unique, and everything opened is closed.
    @Test(arguments: 0..<20 as Range<UInt64>) func nothingThatIsSaidLeavesItInDisorder(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var rig = try GatewayRig()
        var clients: [ConnectionID] = []
        let nicks = ["alice", "bob", "carol", "mesh", "x|abcd", "é"]
        let rooms = ["#park", "#lobby", "&mesh", "#posts", "park", "#", "#p\u{F6}", "#park,#lobby"]
        let words = IRCVerb.allCases.map(\.rawValue)
        for _ in 0..<400 {
            switch Int.random(in: 0..<10, using: &dice) {
            case 0 where clients.count < 6: clients.append(rig.connect())
            case 1:
                try rig.comes(
                    nicks.randomElement(using: &dice) ?? "", key: "k\(Int.random(in: 0..<4, using: &dice))", ["#park"])
            case 2: try rig.goes("k\(Int.random(in: 0..<4, using: &dice))")
            case 3: rig.handle(.told(.message(try rig.message("x\ny", from: "k1"))))
            default:
                guard let id = clients.randomElement(using: &dice) else { continue }
                let params = (0..<Int.random(in: 0..<4, using: &dice)).map { _ in
                    (nicks + rooms + ["*", "+k", "+", "LS", "5", ":a b"]).randomElement(using: &dice) ?? ""
                }
                let word =
                    Bool.random(using: &dice)
                    ? ["NICK", "USER", "JOIN"].randomElement(using: &dice) : words.randomElement(using: &dice)
                rig.say(id, ([word ?? ""] + params).joined(separator: " "))
            }
            rig.now = rig.now.advanced(by: .milliseconds(200))
            let gateway = rig.gateway
            for (nick, holder) in gateway.people.holders {
                if case .peer(let peer) = holder {
                    #expect(gateway.people[peer].map { IRCNick.folded($0.nick) } == nick)
                }
                if case .connection(let id) = holder {
                    #expect(gateway.clients[id]?.nick.map { IRCNick.folded($0) } == nick)
                }
            }
            for (room, ids) in gateway.rooms.audiences {
                #expect(ids.allSatisfy { gateway.rooms.isIn(.room(room), $0) })
            }
        }
        rig.handle(.stopping)
        #expect(rig.gateway.clients.isEmpty && rig.gateway.rooms.audiences.isEmpty)
        #expect(rig.gateway.people.all.allSatisfy { $0.connection == nil })
    }
}
