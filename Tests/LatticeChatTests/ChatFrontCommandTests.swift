import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// What each command asks of the node and shows.
@Suite(.timeLimit(.minutes(10)))
struct ChatFrontCommandTests {
    private static let bob = Samples.peer(2)

    /// A chat in which two bobs, carol and, far away, dave are known; what is typed is done before it ends.
    private func rig(
        isJSON: Bool = false, typing lines: [String],
        answering: @escaping FakeNode.Answering = FakeNode.obliging
    ) async throws -> (rig: ChatRig, shown: [Rendered], requests: [Request]) {
        let rig = try ChatRig(isJSON: isJSON, answering: answering)
        rig.tell(
            try Samples.presence(2, "bob", rooms: ["#lobby", "#zoo"], hops: 1), try Samples.presence(3, "carol"),
            try Samples.presence(4, "Eve"), try Samples.presence(5, "Eve"), .missed(1))
        async let end = rig.run()
        try await rig.until("everybody is known") {
            (rig.screen.output + rig.screen.error).count == 5 && rig.screen.context.names.count == 4
        }
        let shownBefore = rig.screen.shown.count
        rig.screen.put(lines.map { .line($0) } + [.interrupt])
        #expect(await end == .done)
        return (rig, Array(rig.screen.shown.dropFirst(shownBefore)), await rig.node.requests)
    }

    private func replies(
        to lines: String..., answering: @escaping FakeNode.Answering = FakeNode.obliging
    ) async throws -> [String] {
        let (_, shown, _) = try await rig(typing: lines, answering: answering)
        #expect(shown.allSatisfy { $0.output.isEmpty })
        return shown.flatMap(\.error)
    }

    @Test func commandsReachTheNode() async throws {
        let park = try RoomName("#park")
        let bob = Self.bob
        let expected: [(String, [Request])] = [
            ("/nick eve", [.rename(try PeerName("eve"))]),
            (
                "/join park",
                [.room(.enter(park, key: nil)), .join(park), .history(HistoryQuery(room: park, limit: 50))]
            ),
            ("/part", [.part(try RoomName("#lobby"))]), ("/peers", [.peers]),
            ("/ping bob", [.probe(bob)]), ("/trace bob", [.probe(bob)]),
            ("/connect 10.0.0.1:4000", [.connect(PeerAddress(host: "10.0.0.1", port: 4_000))]),
            ("/connect [fe80::1%eth0]:4000", [.connect(PeerAddress(host: "fe80::1%eth0", port: 4_000))]),
            ("/connect finn", [.peers]), ("/whois bob", [.peers]), ("/ping \"bob\"", [.probe(bob)]), ("/help", []),
            ("/rooms", []), ("/names", []),
            ("/ignore bob", [.known(.ignore(PeerReference(bob.hex), true))]),
            ("/unignore bob", [.known(.ignore(PeerReference(bob.hex), false))]), ("/clear", []),
        ]
        for (line, requests) in expected {
            #expect(try await rig(typing: [line]).requests == requests, "\(line)")
        }
    }

    @Test func aNewNameIsOursFromThenOn() async throws {
        let (rig, shown, _) = try await rig(typing: ["/nick zoe", "/names"])
        #expect(
            shown.flatMap(\.error) == [
                "you are zoe now",
                "#lobby: zoe, bob, carol, Eve#\(Samples.peer(4).short), Eve#\(Samples.peer(5).short)",
            ])
        #expect(rig.screen.hasLeft)
    }

    @Test func aNameThatSomebodyHasIsTakenKnowingly() async throws {
        let short = try Samples.me().id.short
        #expect(
            try await replies(to: "/nick carol")
                == ["you are carol now; somebody else is called so, and you are told apart as carol#\(short)"])
        // What looks like a mark is not shown, and shares no name.
        #expect(try await replies(to: "/nick zoe✓") == ["you are zoe✓ now"])
    }

    @Test func whatIsSaidGoesToTheRoomJoinedLast() async throws {
        let (rig, shown, requests) = try await rig(typing: ["/join park", "hi", "/join #lobby", "ho"])
        let (park, lobby) = (try RoomName("#park"), try RoomName("#lobby"))
        #expect(
            requests == [
                .room(.enter(park, key: nil)), .join(park), .history(HistoryQuery(room: park, limit: 50)),
                .say("hi", style: .says, room: park, audience: .everybody), .room(.enter(lobby, key: nil)),
                .join(lobby),
                .say("ho", style: .says, room: lobby, audience: .everybody),
            ])
        #expect(shown.first?.error == ["#park: alice"])
        #expect(rig.screen.context.room == lobby)
        #expect(rig.screen.context.rooms == [lobby, park, try RoomName("#zoo")])
    }

    @Test func whoIsInNoRoomSaysNothing() async throws {
        let (rig, shown, requests) = try await rig(typing: ["/part", "hi", "/names", "/part", "/part #zoo"])
        #expect(requests == [.part(try RoomName("#lobby"))])
        #expect(
            shown.flatMap(\.error) == [
                "you left #lobby; you are in no room now; /join #room",
                "lattice: you are in no room; /join #room first", "lattice: you are in no room; /join #room first",
                "lattice: you are in no room; /join #room first",
                "lattice: you are not in #zoo; /rooms lists where you are",
            ])
        #expect(rig.screen.context.room == nil)
    }

    @Test func aRoomThatTheNodeRefusesIsNotJoined() async throws {
        let refusing: FakeNode.Answering = { request throws(RequestError) in
            if case .join = request { throw RequestError(.tooManyRooms, "you are in 64 rooms") }
            return try await FakeNode.obliging(request)
        }
        let (rig, shown, requests) = try await rig(typing: ["/join park", "hi"], answering: refusing)
        #expect(shown.flatMap(\.error) == ["lattice: you are in 64 rooms"])
        #expect(requests.last == .say("hi", style: .says, room: try RoomName("#lobby"), audience: .everybody))
        #expect(rig.screen.context.room == (try RoomName("#lobby")))
    }

    @Test func namesThatAreNobodysOrSeveralPeoplesAreRefused() async throws {
        let (four, five) = (Samples.peer(4).short, Samples.peer(5).short)
        for command in ["whois", "ping", "trace", "ignore", "unignore", "accept", "refuse"] {
            let (_, shown, requests) = try await rig(typing: [
                "/\(command) Eve", "/\(command) bbo", "/\(command) x\u{1B}y",
            ])
            #expect(
                shown.flatMap(\.error) == [
                    "lattice: several peers are called so; say which: Eve#\(four) (here) or Eve#\(five) (here)",
                    "lattice: nobody here is called bbo; did you mean bob?",
                    "lattice: nobody here is called xy; /peers lists who is known",
                ])
            #expect(requests.isEmpty)
        }
    }

    @Test func errorsHaveCodesForPrograms() async throws {
        let refusing: FakeNode.Answering = { _ throws(RequestError) in throw RequestError(.noRoute, "no way") }
        let lines = [
            "/xyzzy", "/ping Eve", "/ping nobody", "/connect a:b", "/connect 10.0.0.7", "/part #zoo", "/ping bob",
            "/nick",
        ]
        let (_, shown, _) = try await rig(isJSON: true, typing: lines, answering: refusing)
        let codes = shown.flatMap(\.output).compactMap { line in
            line.firstMatch(of: /"code":"([A-Za-z]+)"/).map { String($0.1) }
        }
        #expect(
            codes == [
                "badCommand", "ambiguousName", "unknownPeer", "badAddress", "badAddress", "notInRoom", "noRoute",
                "badCommand",
            ])
    }

    @Test func whomWeIgnoreIsNotShown() async throws {
        let rig = try ChatRig()
        async let end = rig.run()
        rig.tell(try Samples.linked(2, "bob"))
        try await rig.until("bob is known") { !rig.screen.error.isEmpty }
        rig.screen.type("/ignore", "/ignore bob", "/ignore")
        try await rig.until("bob is ignored") { rig.screen.error.count == 4 }
        rig.tell(.message(try Samples.message("unheard")), .message(try Samples.message("hi", from: 3, name: "carol")))
        try await rig.until("carol is heard") { !rig.screen.output.isEmpty }
        rig.screen.type("/unignore bob")
        try await rig.until("bob is not ignored") { rig.screen.error.count == 5 }
        rig.tell(.message(try Samples.message("heard")))
        try await rig.until("bob is heard") { rig.screen.output.count == 2 }
        rig.screen.type("/quit")
        #expect(await end == .done)
        #expect(rig.screen.output == ["<carol> hi", "<bob> heard"])
        #expect(
            rig.screen.error.dropFirst() == [
                "you ignore nobody", "you do not hear bob until you /unignore", "you ignore bob",
                "you hear bob again",
            ])
    }

    @Test func aSightedPeerIsInvitedByItsName() async throws {
        func finn(_ rank: UInt8, _ state: PeerState, hasAddress: Bool = true) -> PeerInfo {
            let address = hasAddress ? PeerAddress(host: "10.0.0.7", port: 4_000) : nil
            return PeerInfo(id: nil, prefix: Samples.peer(rank).prefix, name: "finn", state: state, address: address)
        }
        let invitation = Request.invite(Samples.peer(7).prefix)
        for (peers, requests, told) in [
            ([finn(7, .notConnected), finn(8, .connected)], [.peers, invitation], "inviting finn"),
            (
                [finn(7, .notConnected), finn(8, .notConnected)], [.peers],
                "lattice: 2 peers are called so; /peers shows their addresses"
            ),
            ([finn(7, .connected)], [.peers], "finn is connected"),
            (
                [finn(7, .notConnected, hasAddress: false)], [.peers],
                "lattice: no address of finn is known; name one: /connect HOST:PORT"
            ),
            ([], [Request.peers], "lattice: nobody here is called finn; /peers lists who is known"),
        ] {
            let (_, shown, asked) = try await rig(typing: ["/connect finn"]) { request throws(RequestError) in
                if case .peers = request { return .peers(peers) }
                return try await FakeNode.obliging(request)
            }
            #expect(asked == requests)
            #expect(shown.flatMap(\.error) == [told])
        }
    }

    @Test func onlyWhoeverAskedIsAnswered() async throws {
        for line in ["/accept bob", "/refuse bob"] {
            let (_, shown, asked) = try await rig(typing: [line])
            #expect(asked == [])
            #expect(
                shown.flatMap(\.error) == [
                    "lattice: bob has not asked; /connect links with somebody who is in sight"
                ])
        }
    }

    @Test func probesAreShownWithTheirWay() async throws {
        let names: [(UInt8, String)] = [(1, "alice"), (3, "carol"), (2, "bob")]
        let path = try names.map { ProbeInfo.Stop(id: Samples.peer($0.0), name: try PeerName($0.1)) }
        let lines = try await replies(to: "/ping bob", "/trace bob") { request throws(RequestError) in
            if case .probe = request { return .probe(ProbeInfo(roundTrip: .milliseconds(7), path: path)) }
            return try await FakeNode.obliging(request)
        }
        #expect(
            lines == ["bob answered in 7.0 ms over 2 hops", "alice → carol → bob: 2 hops, 7.0 ms there and back"])
    }

    @Test func whoisTellsOfOthersAndOfOurselves() async throws {
        let me = try Samples.me()
        let lines = try await replies(to: "/whois bob", "/whois alice") { request throws(RequestError) in
            switch request {
            case .peers: .peers([PeerInfo(id: Self.bob, prefix: nil, name: "bob", state: .connected, hops: 1)])
            case .me: .me(me)
            default: try await FakeNode.obliging(request)
            }
        }
        #expect(lines.prefix(3) == ["bob: connected", "  id \(Self.bob.hex), short \(Self.bob.short)", "  1 hop away"])
        #expect(lines.contains("  id \(me.id.hex), short \(me.id.short)"))
    }

    @Test func helpListsEveryCommandAndExplainsOne() async throws {
        let all = try await replies(to: "/help")
        #expect(all.count == CommandWord.allCases.count + 1)
        for (word, line) in zip(CommandWord.allCases, all) {
            #expect(line.hasPrefix("/\(word.rawValue) ") && line.hasSuffix("  \(word.summary)"))
        }
        let starts = Set(
            try zip(CommandWord.allCases, all).map { word, line in
                let summary = try #require(line.firstRange(of: word.summary))
                return line.distance(from: line.startIndex, to: summary.lowerBound)
            })
        #expect(starts.count == 1)
        #expect(
            try await replies(to: "/help /J", "/help quit", "/help jion") == [
                "/join #ROOM [KEY]  (or /j): \(CommandWord.join.summary)",
                "/quit  (or /q): say goodbye and end",
                "lattice: there is no such command; did you mean /join?",
            ])
    }

    @Test func clearClearsTheScreen() async throws {
        #expect(try await rig(typing: ["/clear", "/clear"]).rig.screen.clearCount == 2)
    }
}
