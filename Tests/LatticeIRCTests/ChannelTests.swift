import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// Rooms as channels.
@Suite struct ChannelTests {
    private static func mask(_ nick: String) -> String { "\(nick)!\(nick)@\(GatewayRig.peer("~\(nick)").short).mesh" }
    private static func remote(_ nick: String) -> String { "\(nick)!peer@\(GatewayRig.peer(nick).short).mesh" }

    @Test func aJoinIsSeenByThoseWhoAreThere() throws {
        var rig = try GatewayRig()
        let (alice, bob) = (rig.client("alice"), rig.client("bob", "extended-join userhost-in-names"))
        try rig.comes("carol", "#park")
        rig.say(bob, "JOIN #Park")
        #expect(
            rig.heard(bob) == [
                ":\(Self.mask("bob")) JOIN #park * :Real bob",
                ":lattice.local 353 bob = #park :\(Self.mask("bob")) \(Self.remote("carol"))",
                ":lattice.local 366 bob #park :End of /NAMES list",
            ])
        rig.say(alice, "JOIN #park")
        #expect(
            rig.heard(alice) == [
                ":\(Self.mask("alice")) JOIN #park", ":lattice.local 353 alice = #park :alice bob carol",
                ":lattice.local 366 alice #park :End of /NAMES list",
            ])
        #expect(rig.heard(bob) == [":\(Self.mask("alice")) JOIN #park * :Real alice"])
        rig.say(alice, "JOIN #park")
        #expect(rig.heard(alice) == [])
        rig.say(alice, "PART #park :bye")
        #expect(rig.heard(alice) == [":\(Self.mask("alice")) PART #park :bye"])
        #expect(rig.heard(bob) == [":\(Self.mask("alice")) PART #park :bye"])
        #expect(rig.replies(alice, "PART #park") == ["442 alice #park :You are not in this room"])
    }

    @Test func whoComesAndGoesElsewhereIsSeen() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        rig.say(alice, "JOIN #park,#lobby")
        _ = rig.heard(alice)
        try rig.comes("bob", "#park")
        #expect(rig.heard(alice) == [":\(Self.remote("bob")) JOIN #park"])
        try rig.comes("bob", "#park", "#lobby")
        #expect(rig.heard(alice) == [":\(Self.remote("bob")) JOIN #lobby"])
        try rig.comes("bob", "#lobby")
        #expect(rig.heard(alice) == [":\(Self.remote("bob")) PART #park"])
        try rig.comes("rob", key: "bob", ["#lobby"])
        #expect(rig.heard(alice) == [":\(Self.remote("bob")) NICK :rob"])
        try rig.goes("bob")
        let host = "\(GatewayRig.peer("bob").short).mesh"
        #expect(rig.heard(alice) == [":rob!peer@\(host) QUIT :Left the mesh"])
        #expect(rig.replies(alice, "NAMES #lobby").first == "353 alice = #lobby :alice")
        #expect(rig.replies(alice, "WHOWAS rob").map { $0.prefix(3) } == ["314", "312", "369"])
    }

    /// Names are not unique: a client has the nick it chose, and others of that name get nicks with their keys.
    @Test func whoHasANickThatIsTakenIsCalledByTheirKey() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        rig.say(alice, "JOIN #park")
        try rig.comes("bob", "#park")
        _ = rig.heard(alice)
        let short = GatewayRig.peer("bob").short
        let bob = rig.client("bob")
        #expect(rig.heard(alice) == [":\(Self.remote("bob")) NICK :bob|\(short)"])
        try rig.comes("bob", key: "other", ["#park"])
        let other = GatewayRig.peer("other").short
        #expect(rig.heard(alice) == [":bob|\(other)!peer@\(other).mesh JOIN #park"])
        rig.say(bob, "QUIT")
        try rig.comes("bob", "#park", "#lobby")
        #expect(rig.heard(alice) == [])
    }

    private static let wrong: [(String, String)] = [
        ("JOIN", "461 alice JOIN :Incomplete command; HELP JOIN shows how it is written"),
        ("JOIN park", "403 alice park :A room's name begins with #, such as #lobby"),
        (
            "JOIN &other",
            "476 alice &other :Not a room name: a room starts with '#' and goes on with at least one character, as in #park"
        ),
        (
            "JOIN #",
            "476 alice # :Not a room name: a room starts with '#' and goes on with at least one character, as in #park"
        ),
        ("TOPIC #park", "442 alice #park :You are not in this room"),
        ("PRIVMSG #park :x", "404 alice #park :You are not in #park; JOIN it first"),
        ("KICK #park bob", "442 alice #park :You are not in this room"),
        ("INVITE bob #park", "442 alice #park :You are not in this room"),
        ("INVITE bob", "461 alice INVITE :Incomplete command; HELP INVITE shows how it is written"),
    ]

    @Test(arguments: wrong) func whatCannotBeIsToldByItsNumber(line: String, answer: String) throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        #expect(rig.replies(alice, line) == [answer])
    }

    @Test func aMeshHasNoOperators() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        try rig.comes("bob", "#park")
        rig.say(alice, "JOIN #park")
        let lines = [
            "TOPIC #park", "MODE #park", "MODE #park +m", "MODE #park +o bob", "MODE #park +b",
            "KICK #park bob",
            "MODE #park +k x", "OPER a b", "KILL bob x",
        ]
        let numbers = lines.map { rig.replies(alice, $0).first.map { String($0.prefix(3)) } }
        #expect(numbers == ["331", "324", "472", "472", "368", "482", "482", "491", "481"])
        #expect(rig.replies(alice, "MODE #park") == ["324 alice #park +nt"])
    }

    @Test func soManyRoomsAreAllThereCanBe() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        for number in 1...64 { rig.say(alice, "JOIN #r\(number)") }
        #expect(
            rig.replies(alice, "JOIN #more") == [
                "405 alice #more :You are in 64 rooms, the most there can be; PART one first"
            ])
        rig.say(alice, "JOIN 0")
        #expect(rig.replies(alice, "NAMES #r1") == ["366 alice #r1 :End of /NAMES list"])
    }

    // MARK: - Private rooms

    private static func withPrivateRoom() throws -> (GatewayRig, ConnectionID) {
        var rig = try GatewayRig()
        try rig.comes("bob", "#lobby")
        rig.answer = { request, _ in
            guard case .room(.enter(let room, let key)) = request, room.text == "#camp" else {
                return GatewayRig.obliging(request)
            }
            guard key == TypedKey("secret") else {
                return .failure(RequestError.other(code: .wrongKey, message: "this key does not open it"))
            }
            let members = [
                RoomMember(id: GatewayRig.peer("bob"), name: nil, state: .here),
                RoomMember(id: GatewayRig.peer("carol"), name: nil, state: .away),
            ]
            return .success(.answer(.room(.entered(members))))
        }
        let alice = rig.client("alice")
        return (rig, alice)
    }

    @Test func aKeyOpensAPrivateRoom() throws {
        var (rig, alice) = try Self.withPrivateRoom()
        #expect(
            rig.replies(alice, "JOIN #camp wrong") == [
                "475 alice #camp :Cannot join: the key is wrong (+k)",
                ":mesh!mesh@lattice.local NOTICE alice :#camp: this key does not open it",
            ])
        let heard = rig.replies(alice, "JOIN #camp,#open secret")
        #expect(
            heard == [
                ":\(Self.mask("alice")) JOIN #camp", "353 alice @ #camp :alice bob",
                "366 alice #camp :End of /NAMES list",
                ":\(Self.mask("alice")) JOIN #open", "353 alice = #open :alice", "366 alice #open :End of /NAMES list",
            ])
        #expect(rig.replies(alice, "MODE #camp") == ["324 alice #camp +knt *"])
        let other = rig.client("dave")
        #expect(rig.replies(other, "NAMES #camp") == ["366 dave #camp :End of /NAMES list"])
        #expect(!rig.replies(other, "LIST").contains { $0.contains("#camp") })
    }

    @Test func aPrivateRoomsMembersCanBePutOut() throws {
        var (rig, alice) = try Self.withPrivateRoom()
        rig.say(alice, "JOIN #camp secret")
        let heard = rig.replies(alice, "KICK #camp bob :noise")
        #expect(heard == [":\(Self.mask("alice")) KICK #camp bob :noise"])
        #expect(rig.asked.last == .room(.remove(GatewayRig.peer("bob"), try RoomName("#camp"))))
        #expect(rig.replies(alice, "INVITE bob #camp") == ["341 alice bob #camp"])
        #expect(
            rig.asked.last == .room(.invite(GatewayRig.peer("bob"), name: try PeerName("bob"), try RoomName("#camp"))))
    }

    @Test func whatIsSaidInAPrivateRoomIsHeardByItsMembersAlone() throws {
        var (rig, alice) = try Self.withPrivateRoom()
        let dave = rig.client("dave")
        rig.say(alice, "JOIN #camp secret")
        rig.say(dave, "JOIN #camp wrong")
        try rig.comes("erin")
        _ = (rig.heard(alice), rig.heard(dave))
        rig.handle(.deliveredAlone(alice, .message(try rig.message("hi", from: "erin", in: "#camp"))))
        #expect(
            rig.heard(alice) == [
                ":\(Self.remote("erin")) JOIN #camp", ":\(Self.remote("erin")) PRIVMSG #camp :hi",
            ])
        #expect(rig.heard(dave) == [])
        try rig.goes("erin")
        #expect(rig.heard(alice) == [":\(Self.remote("erin")) QUIT :Left the mesh"])
    }

    @Test func aRoomInWhichNobodyElseIsCanBecomePrivate() throws {
        var (rig, alice) = try Self.withPrivateRoom()
        rig.answer = { request, _ in
            guard case .room(.enter(_, let key?)) = request else { return GatewayRig.obliging(request) }
            return .success(.answer(.room(.entered(key == TypedKey("k") ? [] : nil))))
        }
        rig.say(alice, "JOIN #own")
        #expect(rig.replies(alice, "MODE #own +k k") == [":\(Self.mask("alice")) MODE #own +k k"])
        #expect(rig.replies(alice, "MODE #own") == ["324 alice #own +knt *"])
        let dave = rig.client("dave")
        rig.say(dave, "JOIN #own")
        #expect(rig.heard(dave)[1] == ":lattice.local 353 dave = #own :dave")
        #expect(rig.replies(alice, "NAMES #own").first == "353 alice @ #own :alice")
    }

    @Test func listTellsWhichRoomsThereAre() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        try rig.comes("bob", "#park", "#lobby")
        rig.say(alice, "JOIN #park")
        #expect(
            rig.replies(alice, "LIST") == [
                "321 alice Channel :People and topic", "322 alice #lobby 1 :", "322 alice #park 2 :",
                "322 alice #posts 0 :Posts near this place. What you type here is posted",
                "322 alice &mesh 1 :Who comes and goes, and problems. Type help here", "323 alice :End of /LIST",
            ])
        #expect(rig.replies(alice, "LIST #pa*").count == 3)
        #expect(rig.replies(alice, "LIST >1").count == 3)
    }
}
