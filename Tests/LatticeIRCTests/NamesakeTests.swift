import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// Several people of one name: nobody is written to by chance.
@Suite struct NamesakeTests {
    private static let mesh = ":mesh!mesh@lattice.local"
    private static func short(_ key: String) -> String { GatewayRig.peer(key).short }

    private static func rig() throws -> (GatewayRig, ConnectionID) {
        var rig = try GatewayRig()
        rig.answer = { request, _ in
            guard case .tell(let peer, let text, _, _, _) = request else { return GatewayRig.obliging(request) }
            return .success(
                .answer(
                    .told(
                        PrivateMessage(
                            number: 5, peer: peer, peerName: nil, isMine: true, text: text, style: .says,
                            at: WallTime(milliseconds: 1_795_000_000_000), isLate: false, state: .delivered))))
        }
        let ben = rig.client("ben")
        return (rig, ben)
    }

    private static func told(_ rig: GatewayRig) -> [PeerID] {
        rig.asked.compactMap { if case .tell(let peer, _, _, _, _) = $0 { peer } else { nil } }
    }

    @Test func whoIsMeantIsAskedBeforeAnythingIsSent() throws {
        var (rig, ben) = try Self.rig()
        try rig.comes("alice", key: "first", [])
        try rig.comes("alice", key: "second", [])
        let heard = rig.replies(ben, "PRIVMSG alice :hi")
        #expect(heard.first == "407 ben alice :Several people have this name; nothing was sent")
        let nicks = "alice|\(Self.short("first")), alice|\(Self.short("second"))"
        #expect(
            heard.dropFirst() == [
                "\(Self.mesh) NOTICE ben :Several people are called alice. Send it again to one of \(nicks); "
                    + "WHOIS shows who is who."
            ])
        #expect(Self.told(rig) == [])
        rig.say(ben, "PRIVMSG alice|\(Self.short("second")) :hi", "PRIVMSG alice|\(Self.short("first")) :hi")
        #expect(Self.told(rig) == [GatewayRig.peer("second"), GatewayRig.peer("first")])
        // After a conversation with one of them the name means that one.
        #expect(rig.replies(ben, "PRIVMSG alice :again") == [])
        #expect(Self.told(rig).last == GatewayRig.peer("first"))
    }

    @Test func aNickThatAClientChoseIsItsOwnAndOthersAreNamed() throws {
        var (rig, ben) = try Self.rig()
        _ = rig.client("alice")
        try rig.comes("alice", key: "other", [])
        let heard = rig.replies(ben, "PRIVMSG alice :hi")
        #expect(heard.count == 1 && heard[0].hasSuffix("Others with this name: alice|\(Self.short("other"))"))
        #expect(Self.told(rig) == [GatewayRig.peer("~alice")])
        #expect(rig.replies(ben, "PRIVMSG alice :again") == [])
    }

    @Test func whoeverTakesANameThatSomebodyHasIsTold() throws {
        var (rig, ben) = try Self.rig()
        try rig.comes("alice", key: "other", [])
        let told =
            "Somebody else in the mesh is also called alice. Here they are alice|\(Self.short("other")); others tell you apart by "
            + "your short ids."
        #expect(
            rig.replies(ben, "NICK alice").filter { $0.contains("NOTICE") } == ["\(Self.mesh) NOTICE alice :\(told)"])
        #expect(rig.replies(ben, "NICK ben").filter { $0.contains("NOTICE") } == [])
    }

    @Test func ofThoseWhoHaveGoneNoneIsTakenByChance() throws {
        var (rig, ben) = try Self.rig()
        for key in ["first", "second"] {
            try rig.comes("alice", key: key, [])
            rig.handle(
                .told(
                    .presence(
                        PresenceChange(
                            id: GatewayRig.peer(key), name: try PeerName("alice"), isHere: false, rooms: [], hops: 1))))
        }
        let heard = rig.replies(ben, "PRIVMSG alice :hi")
        #expect(heard.first?.hasPrefix("407 ben alice ") == true)
        for key in ["first", "second"] { #expect(heard.last?.contains("alice|\(Self.short(key))") == true) }
        #expect(Self.told(rig) == [])
    }

    @Test func whoMayBeMeantOfThoseWhoWereMetIsNamed() throws {
        var (rig, ben) = try Self.rig()
        let people = try ["first", "second"].map { KnownPerson(id: GatewayRig.peer($0), name: try PeerName("alice")) }
        rig.answer = { request, _ in
            guard case .known(.find) = request else { return GatewayRig.obliging(request) }
            return .failure(.ambiguousPeer(candidates: people, at: WallTime(milliseconds: 0)))
        }
        let heard = rig.replies(ben, "PRIVMSG alice :hi")
        #expect(heard.first?.hasPrefix("407 ben alice ") == true)
        #expect(heard.last?.contains("alice|\(Self.short("first")), alice|\(Self.short("second"))") == true)
    }

    @Test func theSafetyNumberWithSomebodyWhoIsAwayIsTold() throws {
        var (rig, ben) = try Self.rig()
        rig.answer = { request, _ in
            guard case .known(.safetyNumber(let reference)) = request else { return GatewayRig.obliging(request) }
            #expect(reference == PeerReference(GatewayRig.peer("alice").hex))
            let info = SafetyNumberInfo(
                person: KnownPerson(id: GatewayRig.peer("alice")), groups: ["12345"], words: ["able"])
            return .success(.answer(.known(.safetyNumber(info))))
        }
        try rig.comes("alice")
        try rig.goes("alice")
        #expect(
            rig.replies(ben, "PRIVMSG mesh :safety alice") == [
                "\(Self.mesh) NOTICE ben :You and alice must see the same number: 12345",
                "\(Self.mesh) NOTICE ben :In words: able",
            ])
        #expect(rig.replies(ben, "PRIVMSG mesh :safety nobody").first?.hasPrefix("401 ben nobody") == true)
    }

    @Test func oneIsCountedAsOne() throws {
        var (rig, ben) = try Self.rig()
        rig.answer = { request, _ in
            guard case .stats = request else { return GatewayRig.obliging(request) }
            return .success(
                .answer(
                    .stats(
                        NodeStats(
                            links: 0, incoming: 0, outgoing: 0, halfOpen: 0, addresses: 0, waitingBytes: 0,
                            waitingRecords: 0, refused: RefusalCounts()))))
        }
        #expect(rig.replies(ben, "LUSERS").contains("255 ben :I have 1 client and 0 servers"))
        #expect(
            rig.replies(ben, "PRIVMSG mesh :stats").last
                == "\(Self.mesh) NOTICE ben :0 links, 1 person, 1 IRC client here, "
                + "0 bytes and 0 records waiting to be sent")
    }
}
