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
    ) async throws -> (rig: ChatRig, shown: [Rendered], requests: [AnyHashable]) {
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
        let bob = PeerReference(Self.bob)
        let expected: [(String, [any Request])] = [
            ("/nick eve", [Rename(try PeerName("eve"))]),
            (
                "/join park",
                [EnterPrivateRoom(park, key: nil), JoinRoom(park), HistoryQuery(room: park, limit: 50)]
            ),
            ("/part", [LeaveRoom(try RoomName("#lobby"))]), ("/peers", [ListPeers()]),
            ("/ping bob", [ProbePeer(bob)]), ("/trace bob", [ProbePeer(bob)]),
            ("/connect 10.0.0.1:4000", [DialAddress(PeerAddress(host: "10.0.0.1", port: 4_000))]),
            ("/connect [fe80::1%eth0]:4000", [DialAddress(PeerAddress(host: "fe80::1%eth0", port: 4_000))]),
            ("/connect finn", [ListPeers()]), ("/whois bob", [ListPeers()]), ("/ping \"bob\"", [ProbePeer(bob)]),
            ("/help", []), ("/rooms", [ListRooms()]), ("/names", [ListPeers()]), ("/clear", []),
            ("/ignore bob", [IgnorePerson(bob, true)]),
            ("/unignore bob", [IgnorePerson(bob, false)]),
        ]
        for (line, requests) in expected {
            #expect(try await rig(typing: [line]).requests == requests.map { AnyHashable($0) }, "\(line)")
        }
    }

    @Test func aNewNameIsOursFromThenOn() async throws {
        let (rig, shown, _) = try await rig(typing: ["/nick zoe", "/names"])
        #expect(
            shown.flatMap(\.error) == [
                "You are now called zoe.",
                "#lobby: zoe, bob, carol, Eve#\(Samples.peer(4).short), Eve#\(Samples.peer(5).short)",
            ])
        #expect(rig.screen.hasLeft)
    }

    @Test func aNameThatSomebodyHasIsTakenKnowingly() async throws {
        let short = try Samples.me().id.short
        #expect(
            try await replies(to: "/nick carol")
                == ["You are now called carol. Somebody else has that name, so others see you as carol#\(short)."])
        // What looks like a mark is not shown, and shares no name.
        #expect(try await replies(to: "/nick zoe✓") == ["You are now called zoe✓."])
    }

    @Test func whatIsSaidGoesToTheRoomJoinedLast() async throws {
        let (rig, shown, _) = try await rig(typing: ["/join park", "hi", "/join #lobby", "ho"])
        let (park, lobby) = (try RoomName("#park"), try RoomName("#lobby"))
        #expect(
            await rig.node.requests == [
                EnterPrivateRoom(park, key: nil), JoinRoom(park),
                HistoryQuery(room: park, limit: 50),
                Say("hi", style: .says, room: park, audience: .everybody),
                EnterPrivateRoom(lobby, key: nil), JoinRoom(lobby),
                Say("ho", style: .says, room: lobby, audience: .everybody),
            ])
        #expect(shown.first?.error == ["#park: alice"])
        #expect(rig.screen.context.room == lobby)
        #expect(rig.screen.context.rooms == [lobby, park, try RoomName("#zoo")])
    }

    @Test func whoIsInNoRoomSaysNothing() async throws {
        let (rig, shown, requests) = try await rig(typing: ["/part", "hi", "/names", "/part", "/part #zoo"])
        #expect(requests == [LeaveRoom(try RoomName("#lobby"))])
        #expect(
            shown.flatMap(\.error) == [
                "You left #lobby. You are not in a room now; use /join #room.",
                "lattice: You are not in a room; use /join #room first.",
                "lattice: You are not in a room; use /join #room first.",
                "lattice: You are not in a room; use /join #room first.",
                "lattice: You are not in #zoo; /rooms lists the rooms you are in.",
            ])
        #expect(rig.screen.context.room == nil)
    }

    @Test func aRoomThatTheNodeRefusesIsNotJoined() async throws {
        let refusing: FakeNode.Answering = { request throws(RequestError) in
            if request is JoinRoom { throw RequestError.other(code: .tooManyRooms, message: "you are in 64 rooms") }
            return try await FakeNode.obliging(request)
        }
        let (rig, shown, requests) = try await rig(typing: ["/join park", "hi"], answering: refusing)
        #expect(shown.flatMap(\.error) == ["lattice: you are in 64 rooms"])
        let said = Say("hi", style: .says, room: try RoomName("#lobby"), audience: .everybody)
        #expect(requests.last == AnyHashable(said))
        #expect(rig.screen.context.room == (try RoomName("#lobby")))
    }

    @Test func namesThatAreNobodysOrSeveralPeoplesAreRefused() async throws {
        let (four, five) = (Samples.peer(4).short, Samples.peer(5).short)
        for command in ["whois", "ping", "trace", "ignore", "unignore", "accept", "refuse"] {
            let (_, shown, requests) = try await rig(typing: [
                "/\(command) Eve", "/\(command) bbo", "/\(command) x\u{1B}y",
            ])
            let takesID = ["ignore", "unignore"].contains(command)
            let hint = takesID ? "You can also give a full id (64 digits)." : "/peers lists who is here."
            #expect(
                shown.flatMap(\.error) == [
                    "lattice: Several people are called Eve. Say which: Eve#\(four) (here) or Eve#\(five) (here).",
                    "lattice: I don't know anyone called bbo. Did you mean bob?",
                    "lattice: I don't know anyone called xy. \(hint)",
                ])
            #expect(requests.isEmpty)
        }
    }

    @Test func errorsHaveCodesForPrograms() async throws {
        let refusing: FakeNode.Answering = { _ throws(RequestError) in
            throw RequestError.other(code: .noRoute, message: "no way")
        }
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
                "You ignore nobody.", "You no longer see what bob says; /unignore bob undoes it.", "You ignore bob.",
                "You see what bob says again.",
            ])
    }

    @Test func aSightedPeerIsInvitedByItsName() async throws {
        func finn(_ rank: UInt8, _ state: PeerState, hasAddress: Bool = true) -> PeerInfo {
            let address = hasAddress ? PeerAddress(host: "10.0.0.7", port: 4_000) : nil
            return PeerInfo(id: nil, prefix: Samples.peer(rank).prefix, name: "finn", state: state, address: address)
        }
        let invitation = InvitePeer(Samples.peer(7).prefix)
        for (peers, requests, told) in [
            ([finn(7, .notConnected), finn(8, .connected)], [ListPeers(), invitation], "Connecting to finn."),
            (
                [finn(7, .notConnected), finn(8, .notConnected)], [ListPeers()],
                "lattice: 2 people are called finn; /peers shows their addresses, then use /connect HOST:PORT."
            ),
            ([finn(7, .connected)], [ListPeers()], "finn is already connected."),
            (
                [finn(7, .notConnected, hasAddress: false)], [ListPeers()],
                "lattice: I don't know an address of finn; use /connect HOST:PORT."
            ),
            ([], [ListPeers()], "lattice: I don't know anyone called finn. /peers lists who is here."),
        ] as [([PeerInfo], [any Request], String)] {
            let (_, shown, asked) = try await rig(typing: ["/connect finn"]) { request throws(RequestError) in
                if request is ListPeers { return ListPeers.Reply(peers) }
                return try await FakeNode.obliging(request)
            }
            #expect(asked == requests.map { AnyHashable($0) })
            #expect(shown.flatMap(\.error) == [told])
        }
    }

    @Test func onlyWhoeverAskedIsAnswered() async throws {
        for line in ["/accept bob", "/refuse bob"] {
            let (_, shown, asked) = try await rig(typing: [line])
            #expect(asked == [])
            #expect(
                shown.flatMap(\.error) == [
                    "lattice: bob has not asked to connect; use /connect bob instead."
                ])
        }
    }

    @Test func probesAreShownWithTheirWay() async throws {
        let names: [(UInt8, String)] = [(1, "alice"), (3, "carol"), (2, "bob")]
        let path = try names.map { ProbeInfo.Stop(id: Samples.peer($0.0), name: try PeerName($0.1)) }
        let lines = try await replies(to: "/ping bob", "/trace bob") { request throws(RequestError) in
            if request is ProbePeer { return ProbeInfo(roundTrip: .milliseconds(7), path: path) }
            return try await FakeNode.obliging(request)
        }
        #expect(
            lines == ["bob answered in 7.0 ms over 2 hops", "alice → carol → bob: 2 hops, 7.0 ms there and back"])
    }

    @Test func whoisTellsOfOthersAndOfOurselves() async throws {
        let me = try Samples.me()
        let lines = try await replies(to: "/whois bob", "/whois alice") { request throws(RequestError) in
            switch request {
            case is ListPeers:
                ListPeers.Reply([PeerInfo(id: Self.bob, prefix: nil, name: "bob", state: .connected, hops: 1)])
            case is ShowMe: me
            default: try await FakeNode.obliging(request)
            }
        }
        #expect(lines.prefix(3) == ["bob: connected", "  id \(Self.bob.hex), short \(Self.bob.short)", "  1 hop away"])
        #expect(lines.contains("  id \(me.id.hex), short \(me.id.short)"))
    }

    @Test func helpFitsASmallScreenInSixGroups() async throws {
        let lines = try await replies(to: "/help")
        #expect(
            lines.map { $0.prefix { $0 != " " } }
                == ["Talk", "Rooms", "People", "Share", "Network", "Leave", "/help"])
        #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= 80 })
        #expect(lines.last == "/help COMMAND explains one, /help all lists every command.")
        let words = Set(lines.dropLast().flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("/") })
        #expect(words.isSubset(of: Set(CommandWord.allCases.map { "/\($0.rawValue)" })), "it names what there is")
        #expect(words.isSuperset(of: ["/join", "/msg", "/quit", "/peers"]))
    }

    @Test func helpAllListsEveryCommandOnceUnderItsGroup() async throws {
        let lines = try await replies(to: "/help all")
        #expect(
            lines.filter { $0.hasSuffix(":") }
                == ["Talk:", "Rooms:", "People:", "Share:", "Network:", "Leave:"])
        for word in CommandWord.allCases {
            #expect(lines.filter { $0.hasPrefix("  \(word.call)  ") && $0.hasSuffix("  \(word.summary)") }.count == 1)
        }
    }

    @Test func helpExplainsOneCommand() async throws {
        #expect(
            try await replies(to: "/help /J", "/help quit", "/help jion", "/help exit") == [
                "/join #ROOM [KEY]  (or /j)", "  Enter a room and talk there; a key opens a private room.",
                "  Rooms are public unless they have a star (#camp*). /join #camp KEY enters a private room.",
                "/quit  (or /q)", "  Say goodbye and leave.", "  Ctrl-C or Ctrl-D on an empty line does the same.",
                "lattice: There is no command /jion. Did you mean /join?",
                "lattice: There is no command /exit. Did you mean /quit?",
            ])
    }

    @Test func clearClearsTheScreen() async throws {
        #expect(try await rig(typing: ["/clear", "/clear"]).rig.screen.clearCount == 2)
    }
}
