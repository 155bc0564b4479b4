import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// What a person sees of arrivals and departures while links change all the time.
@Suite struct NewsTests {
    private var conversation: Conversation

    init() throws {
        conversation = Conversation(
            me: Me(
                id: Samples.peer(1), name: try PeerName("alice"), mesh: try MeshName("test"), port: 1, discovery: "off",
                rooms: [try RoomName("#lobby")]))
    }

    /// What a person reads of these events, one after the other.
    private mutating func told(_ events: NodeEvent...) throws -> [String] {
        let renderer = Samples.plainRenderer
        return events.compactMap { conversation.heard($0) }.flatMap { renderer.render($0).error }
    }

    @Test mutating func aLinkToSomebodyWhoIsHereAlreadyIsNoNews() throws {
        let lines = try told(Samples.presence(2, "bob"), Samples.linked(2, "bob"))
        #expect(lines.count == 1 && lines[0].hasSuffix("bob is here, 2 hops away"))
    }

    @Test mutating func aNeighbourIsNotToldToBeHereOnceMore() throws {
        let lines = try told(Samples.linked(2, "bob"), Samples.presence(2, "bob", hops: 4))
        #expect(lines.count == 1 && lines[0].hasSuffix("bob is connected"))
    }

    @Test(arguments: [1, 4])
    mutating func ofANeighbourItsLinkTells(hops: Int) throws {
        let lines = try told(
            Samples.linked(2, "bob"), Samples.presence(2, "bob", hops: hops),
            Samples.presence(2, "bob", isHere: false, hops: hops))
        #expect(lines.count == 1 && lines[0].hasSuffix("bob is connected"))
    }

    @Test mutating func aCommandThatRunsForAMomentIsNotAnnounced() throws {
        let (id, name) = (Samples.peer(2), try PeerName("bob"))
        for hops in [1, 3] {
            let lines = try told(
                .presence(
                    PresenceChange(id: id, name: name, isHere: true, rooms: [], hops: hops, isBrief: true)),
                .peer(PeerChange(id: id, name: name, state: .connected, reason: nil, isBrief: true)),
                .peer(
                    PeerChange(
                        id: id, name: name, state: .notConnected, reason: .goodbye(text: "they left"), isBrief: true)),
                .presence(
                    PresenceChange(id: id, name: name, isHere: false, rooms: [], hops: hops, isBrief: true)))
            #expect(lines.isEmpty)
        }
        // A chat of the same person is.
        #expect(try told(Samples.presence(2, "bob")).count == 1)
    }

    /// As a client of an IRC gateway that is a neighbour.
    @Test mutating func whoComesThroughANeighboursNodeIsToldOf() throws {
        let lines = try told(
            Samples.linked(2, "gate"), Samples.presence(3, "dora", rooms: [], hops: 1),
            Samples.presence(3, "dora", hops: 2), Samples.presence(3, "dora", isHere: false, hops: 1))
        #expect(lines.count == 3)
        #expect(lines[1].hasSuffix("dora is here, 1 hop away") && lines[2].hasSuffix("dora is gone"))
    }

    @Test mutating func aLinkThatWentToAnotherIsNoNews() throws {
        _ = try told(Samples.presence(2, "bob"), Samples.linked(2, "bob"))
        let change = PeerChange(
            id: Samples.peer(2), name: try PeerName("bob"), state: .notConnected, reason: .goodbye(text: "x"),
            isRearranged: true)
        #expect(try told(.peer(change)).isEmpty)
        #expect(conversation.reachableCount == 1)
    }

    @Test mutating func anAttemptThatCameToNothingIsNoNewsOfSomebodyWhoIsHere() throws {
        _ = try told(Samples.presence(2, "bob"))
        #expect(try told(Samples.linked(2, "bob", .connecting), Samples.linked(2, "bob", .notConnected)).isEmpty)
    }

    @Test mutating func whoIsHeardOverOthersAfterItsLinkBrokeIsToldToBeHere() throws {
        _ = try told(Samples.linked(2, "bob"), Samples.presence(2, "bob", hops: 1))
        let lines = try told(Samples.linked(2, "bob", .notConnected, reason: "it broke"), Samples.presence(2, "bob"))
        #expect(lines.count == 2)
        #expect(lines[0].hasSuffix("bob is not connected: it broke") && lines[1].hasSuffix("bob is here, 2 hops away"))
    }

    @Test mutating func aDepartureIsToldOnceInWhicheverOrderTheNewsComes() throws {
        _ = try told(Samples.linked(2, "bob"), Samples.presence(2, "bob", hops: 1))
        let gone = try Samples.presence(2, "bob", isHere: false)
        let unlinked = try Samples.linked(2, "bob", .notConnected, reason: "they left")
        #expect(try told(gone, unlinked).count == 1)
        _ = try told(Samples.linked(2, "bob"), Samples.presence(2, "bob", hops: 1))
        #expect(try told(unlinked, gone).count == 1)
    }

    @Test mutating func whoWasOnlyReachedOverOthersIsToldToBeGone() throws {
        _ = try told(Samples.presence(2, "bob"))
        let lines = try told(Samples.presence(2, "bob", isHere: false))
        #expect(lines.count == 1 && lines[0].hasSuffix("bob is gone"))
    }
}
