import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// Who gets and loses the key of a private room, as a client does it.
@Suite struct PrivateRoomTests {
    private static let mesh = ":mesh!mesh@lattice.local"

    private static func member(_ name: String, _ state: RoomMember.State) throws -> RoomMember {
        RoomMember(id: GatewayRig.peer(name), name: try PeerName(name), state: state)
    }

    /// Alice is in the private #camp, whose members the node knows.
    private static func camp(_ members: [RoomMember], _ capabilities: String = "") throws -> (GatewayRig, ConnectionID)
    {
        var rig = try GatewayRig()
        try rig.comes("bob")
        let all = try [member("~alice", .here)] + members
        rig.answer = { request, _ in
            switch request {
            case .room(.enter): .success(.answer(.room(.entered(all))))
            case .room(.members): .success(.answer(.room(.members(all))))
            default: GatewayRig.obliging(request)
            }
        }
        let alice = rig.client("alice", capabilities)
        rig.say(alice, "JOIN #camp secret-key")
        return (rig, alice)
    }

    private static func invitation() throws -> NodeEvent {
        .room(
            RoomEvent(.invitation, try RoomName("#camp"), by: .init(GatewayRig.peer("bob"), try PeerName("bob"))))
    }

    // MARK: - INVITE

    /// A person who was heard with an older key is still in the channel.
    @Test func whoeverHasNotThePresentKeyIsInvited() throws {
        for state in [nil, RoomMember.State.invited] {
            var (rig, alice) = try Self.camp(try state.map { [try Self.member("bob", $0)] } ?? [])
            rig.handle(.deliveredAlone(alice, .message(try rig.message("hi", from: "bob", in: "#camp"))))
            #expect(rig.replies(alice, "INVITE bob #camp") == ["341 alice bob #camp"])
            let (bob, camp) = (GatewayRig.peer("bob"), try RoomName("#camp"))
            #expect(rig.asked.last == .room(.invite(bob, name: try PeerName("bob"), camp)))
        }
    }

    @Test func whoeverHasThePresentKeyIsOnTheChannel() throws {
        var (rig, alice) = try Self.camp([try Self.member("bob", .here)])
        #expect(rig.replies(alice, "INVITE bob #camp") == ["443 alice bob #camp :is already in the room"])
    }

    // MARK: - KICK

    @Test func whoIsAwayOrOnlyInvitedCanBePutOut() throws {
        let members = try [
            Self.member("bob", .invited), Self.member("carol", .away), Self.member("dave", .away),
        ]
        var (rig, alice) = try Self.camp(members)
        for (name, text) in [
            ("bob", "bob is no longer invited"), ("Carol", "carol was removed"),
            ("dave|\(GatewayRig.peer("dave").short)", "dave was removed"),
        ] {
            let heard = rig.replies(alice, "KICK #camp \(name) :x")
            #expect(heard == ["\(Self.mesh) NOTICE #camp :\(text). #camp has a new key now."])
        }
        let removed: [PeerID] = rig.asked.compactMap { if case .room(.remove(let peer, _)) = $0 { peer } else { nil } }
        #expect(removed == ["bob", "carol", "dave"].map(GatewayRig.peer))
        #expect(
            rig.replies(alice, "KICK #camp erin :x") == ["441 alice erin #camp :They are not in this room"])
    }

    @Test func whomANickDoesNotTellApartIsNotPutOut() throws {
        let (one, other) = (GatewayRig.peer("one"), GatewayRig.peer("other"))
        let name = try PeerName("carol")
        var (rig, alice) = try Self.camp([
            RoomMember(id: one, name: name, state: .away), RoomMember(id: other, name: name, state: .away),
        ])
        #expect(rig.replies(alice, "KICK #camp carol").first?.hasPrefix("407 alice carol ") == true)
        _ = rig.replies(alice, "KICK #camp carol|\(other.short)")
        #expect(rig.asked.last == .room(.remove(other, try RoomName("#camp"))))
    }

    /// As one who speaks with an older key.
    @Test func whoeverTheNodeDoesNotKnowThereIsNotOnTheChannel() throws {
        var (rig, alice) = try Self.camp([try Self.member("bob", .here)])
        let room = try RoomName("#camp")
        rig.answer = { request, _ in
            guard case .room(.remove) = request else { return GatewayRig.obliging(request) }
            return .failure(.notAMember(room: room))
        }
        #expect(rig.replies(alice, "KICK #camp bob") == ["441 alice bob #camp :They are not in this room"])
    }

    // MARK: - JOIN

    @Test func whoIsInvitedAgainEntersFromWithin() throws {
        for (capabilities, shown) in [
            ("", [":erin!peer@\(GatewayRig.peer("erin").short).mesh PRIVMSG #camp :[12:34] and what came since"]),
            ("draft/chathistory batch message-tags server-time", ["BATCH", "and what came since", "BATCH"]),
        ] {
            var (rig, alice) = try Self.camp([], capabilities)
            _ = rig.heard(alice)
            rig.handle(.deliveredAlone(alice, try Self.invitation()))
            let told = rig.heard(alice)
            #expect(told.first?.contains(" INVITE alice :#camp") == true && told.count == 2)
            #expect(told.last?.contains("JOIN #camp takes it and shows what was said since") == true)
            let before = try rig.message("what was here", from: "bob", in: "#camp", record: 1)
            let since = try rig.message("and what came since", from: "erin", in: "#camp", record: 2)
            let members = try [Self.member("~alice", .here), Self.member("bob", .here)]
            var hasEntered = false
            rig.answer = { request, _ in
                switch request {
                case .room(.enter(_, key: nil)):
                    hasEntered = true
                    return .success(.answer(.room(.entered(members))))
                case .history:
                    let lines = hasEntered ? [before, since] : [before]
                    return .success(.answer(.history(HistoryPage(lines: lines, hasMore: false))))
                default: return GatewayRig.obliging(request)
                }
            }
            let heard = rig.replies(alice, "JOIN #camp")
            #expect(heard.count == 2 + shown.count)
            #expect(heard[0].hasSuffix(" JOIN #camp") && heard[0].contains(":bob!"))
            #expect(heard[1].hasSuffix("NOTICE #camp :You have the current key of #camp now."))
            for (line, text) in zip(heard.dropFirst(2), shown) { #expect(line.contains(text)) }
            // Once more there is nothing to tell.
            #expect(rig.replies(alice, "JOIN #camp") == [])
        }
    }

    @Test func anotherKeyIsRefusedInWords() throws {
        var (rig, alice) = try Self.camp([try Self.member("bob", .here)])
        let room = try RoomName("#camp")
        rig.answer = { request, _ in
            guard case .room(.enter(_, key: _?)) = request else { return GatewayRig.obliging(request) }
            return .failure(.otherKey(room: room))
        }
        #expect(
            rig.replies(alice, "JOIN #camp other-key") == [
                "475 alice #camp :Cannot join: the key is wrong (+k)",
                "\(Self.mesh) NOTICE alice :#camp: you already have a private room #camp with another key; if this key is right, use "
                    + "/msg mesh forget #camp first (it deletes the lines of that room), or ask for an invitation",
            ])
        rig.say(alice, "JOIN #park")
        #expect(rig.replies(alice, "JOIN #park") == [])
        #expect(rig.replies(alice, "JOIN #park a-key").last?.contains("PART #park, then JOIN #park KEY") == true)
    }

    @Test func whoIsAloneInAPrivateRoomIsTold() throws {
        var (rig, alice) = try Self.camp([])
        let text = "\(Self.mesh) NOTICE #camp :You are alone in #camp, as far as this node knows."
        #expect(rig.heard(alice).last?.hasPrefix(text) == true)
        rig = try Self.camp([try Self.member("carol", .away)]).0
        #expect(!rig.heard(alice).contains { $0.contains("You are alone") })
    }

    @Test func whoeverHasNotThePresentKeyIsSeenToGo() throws {
        var (rig, alice) = try Self.camp([])
        rig.handle(.deliveredAlone(alice, .message(try rig.message("hi", from: "bob", in: "#camp"))))
        rig.answer = { request, _ in
            guard case .room(.members) = request else { return GatewayRig.obliging(request) }
            let own = RoomMember(id: GatewayRig.peer("~alice"), name: nil, state: .here)
            return .success(.answer(.room(.members([own]))))
        }
        let heard = rig.replies(alice, "NAMES #camp")
        #expect(heard.first?.hasSuffix(" PART #camp :Has no current key") == true)
        #expect(heard.dropFirst().first == "353 alice @ #camp :alice")
    }
}
