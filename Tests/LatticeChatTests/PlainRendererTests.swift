import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// The lines of a pipe, exactly.
struct PlainRendererTests {
    private let renderer = Samples.plainRenderer

    private func lines(
        _ message: Message, shown: String = "bob", isCurrentRoom: Bool = true
    ) -> Rendered {
        renderer.render(.message(message, shown: shown, isCurrentRoom: isCurrentRoom, isMention: false))
    }

    @Test func whatPeopleSayGoesToStandardOutput() throws {
        #expect(lines(try Samples.message("hi")) == Rendered(output: ["<bob> hi"]))
        #expect(
            lines(try Samples.message("hi", room: "#park"), isCurrentRoom: false)
                == Rendered(output: ["#park <bob> hi"]))
        #expect(lines(try Samples.message("waves", style: .acts)) == Rendered(output: ["* bob waves"]))
        #expect(
            lines(try Samples.message("waves", room: "#park", style: .acts), isCurrentRoom: false)
                == Rendered(output: ["#park * bob waves"]))
        #expect(lines(try Samples.message("hi"), shown: "bob#k7f3") == Rendered(output: ["<bob#k7f3> hi"]))
    }

    @Test func whereTimesAreWantedEachLineHasOne() throws {
        let renderer = PlainRenderer(clock: { _ in "14:54" }, hasTimes: true)
        let item = ChatItem.message(try Samples.message("hi"), shown: "bob", isCurrentRoom: true, isMention: false)
        #expect(renderer.render(item) == Rendered(output: ["14:54 <bob> hi"]))
    }

    @Test func aPrivateRoomBearsItsStarFromTheFirstLineOn() throws {
        var me = try Samples.me(rooms: ["#lobby", "#camp"])
        me.privateRooms = [try RoomName("#camp")]
        #expect(try #require(renderer.render(.ready(me)).error.first).contains(" in #lobby #camp*, mesh "))
    }

    @Test func aClosedMeshIsCalledOneFromTheFirstLineOn() throws {
        var me = try Samples.me()
        me.isClosed = true
        #expect(try #require(renderer.render(.ready(me)).error.first).contains(" in #lobby, closed mesh lattice, "))
    }

    @Test func peopleAreCalledAsInAChat() throws {
        let (me, twin) = (try Samples.me(), Samples.peer(5))
        let peers = [(2, "bob"), (3, "carol"), (4, "dave")].map { number, name in
            PeerInfo(
                id: Samples.peer(number), prefix: Samples.peer(number).prefix, name: name, state: .connected, hops: 1,
                isHere: true, rooms: [])
        }
        let people = [
            KnownPerson(id: Samples.peer(2), name: try PeerName("bob"), verified: WallTime(milliseconds: 1)),
            KnownPerson(id: twin, name: try PeerName("carol")),
        ]
        var conversation = Conversation(me: me)
        conversation.know(people)
        conversation.take(ContactMarks(people, muted: []))
        conversation.meet(peers)
        #expect(peers.map(conversation.shown) == ["bob ✓", "carol#\(Samples.peer(3).short)", "dave"])
    }

    @Test func everythingElseGoesToStandardError() throws {
        let gone = PeerChange(
            id: Samples.peer(2), name: try PeerName("bob"), state: .notConnected,
            reason: .goodbye(text: "they\u{07} left"))
        let me = try Samples.me(rooms: ["#lobby", "#park"])
        let expected: [(ChatItem, String?)] = [
            (
                .ready(me),
                "* you are alice#\(me.id.short) in #lobby #park, mesh lattice, port 4000, discovery system"
            ),
            (.peer(gone, shown: "bob"), "* bob is not connected: they left"),
            (
                .invitation(Samples.peer(2), shown: "bob", context: []),
                "* bob wants to connect to you. Type /accept bob or /refuse bob."
            ),
            (
                .invitation(Samples.peer(2), shown: "bob", context: Array("a \u{1B}[1mgame".utf8)),
                "* bob wants to connect to you (a [1mgame). Type /accept bob or /refuse bob."
            ),
            (.notice(Notice(.problem, code: "x", "no network")), "* no network"),
            (.missed(3), "* 3 events came too fast and are not shown"),
            (.error(code: "x", "that\nwent wrong"), "lattice: that went wrong"),
            (.reply(.text("done")), "done"),
        ]
        for (item, line) in expected {
            #expect(renderer.render(item) == Rendered(error: [line].compactMap(\.self)))
        }
    }

    @Test func linksAreToldOfWhenTheyHoldOrEnd() throws {
        func status(_ state: PeerState, _ reason: String?) throws -> [String] {
            let change = PeerChange(
                id: Samples.peer(2), name: try PeerName("bob"), state: state, reason: reason.map { .goodbye(text: $0) })
            return renderer.render(.peer(change, shown: "bob")).error
        }
        #expect(try status(.connecting, nil) == [])
        #expect(try status(.connected, nil) == ["* bob is connected"])
        #expect(try status(.notConnected, nil) == ["* bob is not connected: they left"])
        #expect(try status(.notConnected, "Connection refused") == ["* bob is not connected: Connection refused"])
    }

    @Test func peopleAreToldOfWhoseLinkDoesNotTell() throws {
        func status(isHere: Bool = true, hops: Int, was: String? = nil, isNews: Bool = true) throws -> [String] {
            let change = PresenceChange(
                id: Samples.peer(2), name: try PeerName("bob"), isHere: isHere, rooms: [], hops: hops)
            return renderer.render(.presence(change, shown: "bob", was: was, isNews: isNews)).error
        }
        #expect(try status(hops: 1, isNews: false) == [])
        #expect(try status(hops: 1) == ["* bob is here, 1 hop away"])
        #expect(try status(hops: 3) == ["* bob is here, 3 hops away"])
        #expect(try status(hops: 3, was: "bob") == [])
        #expect(try status(hops: 1, was: "rob") == ["* rob is now bob"])
        #expect(try status(isHere: false, hops: 1, isNews: false) == [])
        #expect(try status(isHere: false, hops: 1) == ["* bob is gone"])
        #expect(try status(isHere: false, hops: 2) == ["* bob is gone"])
    }

    @Test func repliesAreSentences() throws {
        let (lobby, park) = (try RoomName("#lobby"), try RoomName("#park"))
        let path = [ProbeInfo.Stop(id: Samples.peer(1), name: try PeerName("alice"))] * 3
        let probe = ProbeInfo(roundTrip: .microseconds(12_345), path: path)
        let direct = ProbeInfo(roundTrip: .milliseconds(2), path: Array(path.prefix(2)))
        let rooms = [(lobby, true, true, 1), (park, true, false, 0), (try RoomName("#zoo"), false, false, 2)].map {
            RoomList.Room(room: $0.0, isJoined: $0.1, isCurrent: $0.2, people: $0.3)
        }
        let expected: [(ChatItem.Reply, [String])] = [
            (.help(["one", "two"]), ["one", "two"]),
            (.names(lobby, ["alice", "bob"]), ["#lobby: alice, bob"]), (.names(park, []), ["#park: nobody else"]),
            (
                .rooms(RoomList(rooms: rooms)),
                ["> #lobby  2 here", "  #park   1 here", "Not joined:", "  #zoo  2 here"]
            ),
            (.ping(Samples.peer(2), shown: "bob", probe), ["bob answered in 12.3 ms over 2 hops"]),
            (.ping(Samples.peer(2), shown: "bob", direct), ["bob answered in 2.0 ms over 1 hop"]),
            (
                .trace(Samples.peer(2), shown: "bob", probe, path: ["alice", "carol", "bob"]),
                ["alice → carol → bob: 2 hops, 12.3 ms there and back"]
            ),
        ]
        for (reply, lines) in expected {
            #expect(renderer.render(.reply(reply)) == Rendered(error: lines))
        }
    }
}

private func * (array: [ProbeInfo.Stop], count: Int) -> [ProbeInfo.Stop] {
    Array(repeating: array, count: count).flatMap(\.self)
}
