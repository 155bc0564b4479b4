import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// People who are away, on this gateway or elsewhere in the mesh.
@Suite struct AwayTests {
    private static func mask(_ nick: String) -> String { "\(nick)!\(nick)@\(GatewayRig.peer("~\(nick)").short).mesh" }

    @Test func aClientThatIsAwayIsShownAsAway() throws {
        var rig = try GatewayRig()
        let (alice, bob) = (rig.client("alice"), rig.client("bob", "away-notify"))
        rig.answer = { request, _ in
            guard case .tell = request else { return GatewayRig.obliging(request) }
            return .success(.answer(.told(try! MessageTests.message("psst", from: "~alice", isMine: true))))
        }
        rig.say(alice, "JOIN #park")
        rig.say(bob, "JOIN #park")
        _ = rig.heard(bob)
        #expect(rig.replies(alice, "AWAY :lunch") == ["306 alice :You are marked as away"])
        #expect(rig.heard(bob) == [":\(Self.mask("alice")) AWAY :lunch"])
        #expect(rig.replies(bob, "PRIVMSG alice :hi") == ["301 bob alice :lunch"])
        #expect(rig.replies(bob, "WHO alice").first?.contains(" alice G ") == true)
        #expect(rig.replies(alice, "AWAY") == ["305 alice :You are back"])
        #expect(rig.heard(bob) == [":\(Self.mask("alice")) AWAY"])
        #expect(rig.asked.suffix(2).first == .tell(GatewayRig.peer("~alice"), "hi", style: .says))
        #expect(rig.asked.filter { if case .away = $0 { true } else { false } } == [.away("lunch"), .away(nil)])
        rig.answer = { _, _ in .success(.answer(.away(missed: 3))) }
        #expect(
            rig.replies(alice, "AWAY") == [
                "305 alice :You are back",
                ":mesh!mesh@lattice.local NOTICE alice :3 notifications while you were away; "
                    + "/msg mesh notifications lists them",
            ])
    }

    @Test func aPeerThatIsAwayIsShownAsAway() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice", "away-notify")
        rig.say(alice, "JOIN #park")
        try rig.comes("carol", "#park")
        _ = rig.heard(alice)
        func isHere(away: String?) throws -> NodeEvent {
            .presence(
                PresenceChange(
                    id: GatewayRig.peer("carol"), name: try PeerName("carol"), isHere: true,
                    rooms: [try RoomName("#park")], hops: 1, away: away))
        }
        let host = "\(GatewayRig.peer("carol").short).mesh"
        rig.handle(.told(try isHere(away: "at\nlunch")))
        #expect(rig.heard(alice) == [":carol!peer@\(host) AWAY :at lunch"])
        rig.handle(.told(try isHere(away: "at\nlunch")))
        #expect(rig.heard(alice) == [])
        #expect(rig.replies(alice, "WHO carol").first?.contains(" carol G ") == true)
        #expect(rig.replies(alice, "WHOIS carol").contains("301 alice carol :at lunch"))
        rig.handle(.told(try isHere(away: "")))
        #expect(rig.heard(alice) == [":carol!peer@\(host) AWAY :Away"])
        rig.handle(.told(try isHere(away: nil)))
        #expect(rig.heard(alice) == [":carol!peer@\(host) AWAY"])
    }
}
