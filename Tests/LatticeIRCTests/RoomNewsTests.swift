import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// What happens around private rooms, and where lines are not kept, as lines of IRC.
@Suite struct RoomNewsTests {
    private static let mesh = ":mesh!mesh@lattice.local"
    private static func remote(_ nick: String) -> String { "\(nick)!peer@\(GatewayRig.peer(nick).short).mesh" }

    private static func person(_ name: String) throws -> RoomEvent.Person {
        RoomEvent.Person(GatewayRig.peer(name), try PeerName(name))
    }

    private static func event(
        _ kind: RoomEvent.Kind, by name: String, _ others: String..., reason: StoreFault? = nil
    ) throws -> NodeEvent {
        .room(
            RoomEvent(
                kind, try RoomName("#camp"), by: try person(name), others: try others.map { try person($0) },
                reason: reason))
    }

    /// Alice is in the private #camp with bob, who is there, and carol, who is away.
    private static func campers(_ capabilities: String = "") throws -> (GatewayRig, ConnectionID) {
        var rig = try GatewayRig()
        let camp = try RoomName("#camp")
        try rig.comes("bob")
        rig.answer = { request, _ in
            switch request {
            case .room(.enter):
                .success(
                    .answer(
                        .room(
                            .entered([
                                RoomMember(id: GatewayRig.peer("bob"), name: nil, state: .here),
                                RoomMember(id: GatewayRig.peer("carol"), name: nil, state: .away),
                                RoomMember(id: GatewayRig.peer("dave"), name: nil, state: .invited),
                            ]))))
            case .room(.list): .success(.answer(.room(.rooms([camp]))))
            default: GatewayRig.obliging(request)
            }
        }
        let alice = rig.client("alice", capabilities)
        rig.say(alice, "JOIN #camp secret-key")
        _ = rig.heard(alice)
        return (rig, alice)
    }

    @Test func anInvitationIsALineOfItsOwnAndTellsWhatToDo() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        try rig.comes("bob")
        rig.handle(.deliveredAlone(alice, try Self.event(.invitation, by: "bob")))
        let text =
            "bob invites you to the private room #camp. Accept: JOIN #camp. Decline: /msg mesh forget #camp"
        #expect(
            rig.heard(alice) == [":\(Self.remote("bob")) INVITE alice :#camp", "\(Self.mesh) NOTICE alice :\(text)"])
        // A client in the public room of that name leaves it first.
        rig.say(alice, "JOIN #camp")
        _ = rig.heard(alice)
        rig.handle(.deliveredAlone(alice, try Self.event(.invitation, by: "erin")))
        #expect(rig.heard(alice).last?.contains("Accept: PART #camp, then JOIN #camp.") == true)
        #expect(rig.replies(alice, "WHOWAS erin").first?.hasPrefix("314 ") == true)
    }

    @Test func whoComesIntoAPrivateRoomIsSeenBeforeTheySpeak() throws {
        var (rig, alice) = try Self.campers()
        rig.handle(.deliveredAlone(alice, try Self.event(.came, by: "dave")))
        #expect(rig.heard(alice) == [])
        try rig.comes("dave")
        #expect(rig.heard(alice) == [":\(Self.remote("dave")) JOIN #camp"])
        rig.handle(.deliveredAlone(alice, try Self.event(.came, by: "dave")))
        #expect(rig.heard(alice) == [])
        // Those who were away, and those who left and come back.
        try rig.comes("carol")
        #expect(rig.heard(alice) == [":\(Self.remote("carol")) JOIN #camp"])
        try rig.goes("carol")
        try rig.comes("carol")
        #expect(rig.heard(alice).map { $0.split(separator: " ")[1] } == ["QUIT", "JOIN"])
        #expect(rig.replies(alice, "NAMES #camp").first == "353 alice @ #camp :alice bob carol dave")
        rig.handle(.deliveredAlone(alice, try Self.event(.left, by: "dave")))
        #expect(rig.heard(alice) == [":\(Self.remote("dave")) PART #camp :Left for good"])
        // Nobody sees anything of a room that they are not in.
        let other = rig.client("other")
        rig.handle(.deliveredAlone(other, try Self.event(.came, by: "bob")))
        rig.handle(.deliveredAlone(other, try Self.event(.removed, by: "bob", "carol")))
        #expect(rig.heard(other) == [])
    }

    @Test func whoIsPutOutIsKicked() throws {
        var (rig, alice) = try Self.campers()
        rig.handle(.deliveredAlone(alice, try Self.event(.removed, by: "carol", "bob", "nobody")))
        let heard = rig.heard(alice)
        #expect(heard.first == ":\(Self.remote("carol")) KICK #camp bob :Removed from the room")
        #expect(heard.count == 2 && heard[1].hasPrefix("\(Self.mesh) NOTICE #camp :carol made a new key"))
        rig.handle(.deliveredAlone(alice, try Self.event(.oldKey, by: "erin")))
        #expect(rig.heard(alice).first?.contains("INVITE erin #camp sends them the current one.") == true)
    }

    @Test func othersInvitationsAreToldToThoseWhoAskForThat() throws {
        for (capabilities, isTold) in [("", false), ("invite-notify", true)] {
            var (rig, alice) = try Self.campers(capabilities)
            rig.handle(.deliveredAlone(alice, try Self.event(.invited, by: "bob", "erin")))
            #expect(rig.heard(alice) == (isTold ? [":\(Self.remote("bob")) INVITE erin :#camp"] : []))
        }
    }

    /// A room that a person takes for their private one is public: each join warns them.
    @Test func thePublicRoomOfAForgottenOnesNameIsToldToBeOne() throws {
        var (rig, alice) = try Self.campers()
        #expect(rig.replies(alice, "MODE #camp") == ["324 alice #camp +knt *"])
        let heard = rig.replies(alice, "PRIVMSG mesh :forget #camp")
        #expect(heard.first?.contains(" PART #camp :Forgotten") == true)
        #expect(heard.last?.contains("From now on JOIN #camp enters the public room with this name.") == true)
        rig.answer = { request, _ in GatewayRig.obliging(request) }
        for _ in 0..<2 {
            let joined = rig.replies(alice, "JOIN #camp")
            #expect(joined.last?.hasPrefix("\(Self.mesh) NOTICE #camp :#camp here is the public room") == true)
            #expect(rig.replies(alice, "MODE #camp") == ["324 alice #camp +nt"])
            rig.say(alice, "PART #camp")
        }
        rig.say(alice, "QUIT")
        let again = rig.client("alice")
        #expect(rig.replies(again, "JOIN #camp").last?.contains("here is the public room") == true)
        #expect(rig.replies(again, "JOIN #park").last?.hasPrefix("366 ") == true)
    }

    @Test func thePublicRoomOfADeclinedOnesNameIsToldToBeOne() throws {
        var rig = try GatewayRig()
        rig.answer = { request, _ in
            if case .room(.list) = request { return .success(.answer(.room(.rooms([])))) }
            return GatewayRig.obliging(request)
        }
        let alice = rig.client("alice")
        #expect(
            rig.replies(alice, "PRIVMSG mesh :forget #camp").last?.contains("Invitations to it are declined.") == true)
        for _ in 0..<2 {
            #expect(rig.replies(alice, "JOIN #camp").last?.contains("#camp here is the public room") == true)
            rig.say(alice, "PART #camp")
        }
    }

    // MARK: - Where nothing can be kept

    private static let disk = StoreFault.diskFull(path: "/x")
    private static let full = "the disk of /x is full; nothing new is stored until there is space again"

    /// In the window in which it was said, and not for every line.
    @Test func whoSpeaksIsToldThatNothingIsKept() throws {
        var rig = try GatewayRig()
        let (alice, bob) = (rig.client("alice"), rig.client("bob"))
        for id in [alice, bob] { rig.say(id, "JOIN #camp") }
        _ = (rig.heard(alice), rig.heard(bob))
        let event = try Self.event(.notKept, by: "~alice", reason: Self.disk)
        for _ in 0..<3 { rig.handle(.deliveredAlone(alice, event)) }
        let text = "Your lines are sent to everybody who is connected, but this node cannot store them: \(Self.full)"
        #expect(rig.heard(alice) == ["\(Self.mesh) NOTICE #camp :\(text)"])
        #expect(rig.heard(bob) == [])
        rig.wait(.seconds(60))
        rig.handle(.deliveredAlone(alice, event))
        #expect(rig.heard(alice).count == 1)
    }

    @Test func whatCannotBeKeptIsRefusedWithTheReason() throws {
        var rig = try GatewayRig()
        rig.answer = { request, _ in
            switch request {
            case .tell, .room, .say: .failure(.store(fault: Self.disk))
            default: GatewayRig.obliging(request)
            }
        }
        let alice = rig.client("alice")
        try rig.comes("bob")
        #expect(rig.replies(alice, "PRIVMSG bob :hi") == ["404 alice bob :Not sent to bob: \(Self.full)"])
        let refused = [
            "437 alice #camp :Cannot join right now",
            "\(Self.mesh) NOTICE alice :#camp: \(Self.full)",
        ]
        #expect(rig.replies(alice, "JOIN #camp secret-key") == refused)
        // They may be invited to it: nobody speaks in public who takes a room for a private one.
        #expect(rig.replies(alice, "JOIN #camp") == refused)
        #expect(rig.replies(alice, "JOIN #lobby").last?.hasPrefix("366 ") == true)
        #expect(rig.replies(alice, "PRIVMSG #lobby :hi") == ["404 alice #lobby :\(Self.full)"])
    }
}
