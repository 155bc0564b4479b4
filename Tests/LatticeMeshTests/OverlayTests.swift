import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Who gets a place: a link takes one at each end, and who has none free splits a link of its own.
@Suite struct OverlayTests {
    /// A peer with two places: one taken by a peer that dialled it, 1, and one by a peer that it dialled, 101.
    private func full() throws -> Fixture {
        var fixture = try Fixture(activeMax: 2)
        try fixture.connect(1, on: 1)
        try fixture.dial(101, on: 101)
        return fixture
    }

    private func state(_ rank: UInt8, _ state: LinkState, _ end: LinkEnd? = nil) throws -> MeshEffect {
        .stateChanged(Fixture.peer(rank), try PeerName("p\(rank)"), state, end)
    }

    private let given = Goodbye(.full, "its place went to another")

    // MARK: - Theirs

    @Test func whereBothHavePlacesTheLinkTakesOneOfEach() throws {
        var fixture = try Fixture(activeMax: 2)
        #expect(try fixture.connect(1, on: 1) == [.send(.accept(room: 1), to: 1), try state(1, .connected)])
        #expect(try fixture.connect(2, on: 2) == [.send(.accept(room: 0), to: 2), try state(2, .connected)])
    }

    @Test func aNewcomerWithTwoPlacesComesBetweenAFullPeerAndItsNeighbour() throws {
        var fixture = try full()
        #expect(
            try fixture.connect(2, on: 2, room: 2) == [
                .send(.accept(room: 0), to: 2),
                try state(2, .connected),
                .send(.walk(Walk(kind: .offer, timeToLive: 0, origin: try Fixture.card(2))), to: 1),
            ])
        // Until peer 1 is linked with it, there is one link more than there are places.
        #expect(fixture.mesh.register.neighbourCount == 3)
        let ended = LinkEnd.goodbye(Goodbye(.full, ""))
        #expect(fixture.handle(.linkClosed(1, ended)) == [try state(1, .notConnected, ended)])
        #expect(fixture.mesh.register.neighbourCount == 2)
        #expect(fixture.pass(MeshLimit.offerTimeout).closed.isEmpty)
    }

    @Test func aNewcomerWithOnePlaceIsToldOfOthersAndRefusedByAFullPeer() throws {
        var fixture = try Fixture(activeMax: 1)
        try fixture.connect(1, on: 1)
        let shuffle = Shuffle(
            direction: .answer, timeToLive: 0, origin: Fixture.peer(2), cards: [try Fixture.card(1)])
        #expect(
            try fixture.connect(2, on: 2, room: 1) == [
                .send(.shuffle(shuffle), to: 2),
                .send(.refuse(.full), to: 2),
                .close(2, Goodbye(.refused, "")),
                try state(2, .notConnected, .refusedByUs(.full)),
            ])
    }

    @Test func whoIsUrgentGetsAPlaceOfAFullPeerThoughItHasNoneForWhoLosesIt() throws {
        var fixture = try full()
        #expect(
            try fixture.connect(2, on: 2, isUrgent: true, room: 1) == [
                .send(.accept(room: 0), to: 2),
                try state(2, .connected),
                .close(1, given),
                try state(1, .notConnected, .rearranged),
            ])
    }

    @Test func aFullPeerThatInvitesSplitsALinkOfItsOwn() throws {
        var fixture = try Fixture(activeMax: 3)
        try fixture.connect(1, on: 1)
        #expect(try fixture.connect(2, on: 2, room: 0) == [.send(.accept(room: 1), to: 2), try state(2, .connected)])
        // With one place left nobody would have the second that a split takes.
        #expect(try fixture.connect(3, on: 3, room: 0).refusals == [.full])
    }

    @Test func anInvitationUnderWayHoldsItsPlace() throws {
        var fixture = try Fixture(activeMax: 1)
        let dial = try #require(fixture.handle(.sighted(Fixture.sighting(101))).dialIDs.first)
        _ = fixture.handle(.linkOpened(101, try fixture.opened(101, dial: dial.rawValue)))
        #expect(
            try fixture.connect(1, on: 1) == [
                .send(.refuse(.full), to: 1),
                .close(1, Goodbye(.refused, "")),
                try state(1, .notConnected, .refusedByUs(.full)),
            ])
    }

    @Test func upToOneMorePeerThanThereArePlacesEverybodyIsLinkedWithEverybody() throws {
        var fixture = try Fixture()
        let count = UInt8(fixture.mesh.options.activeMax)
        for rank in 1...count {
            let effects = try fixture.connect(rank, on: UInt64(rank), room: count - rank + 1)
            #expect(effects.contains(.send(.accept(room: count - rank), to: LinkID(rawValue: UInt64(rank)))))
            #expect(effects.closed.isEmpty)
        }
        #expect(fixture.mesh.register.neighbourCount == Int(count))
    }

    // MARK: - Ours

    @Test func aDialThatFindsTheLastPlaceTakenInvitesNobody() throws {
        var fixture = try Fixture(activeMax: 1)
        let dial = try #require(fixture.handle(.sighted(Fixture.sighting(101))).dialIDs.first)
        try fixture.connect(1, on: 1)
        let effects = fixture.handle(.linkOpened(101, try fixture.opened(101, dial: dial.rawValue)))
        #expect(effects == [.close(101, Goodbye(.full, "enough others answered first"))])
    }

    @Test func whomAPersonWantsIsInvitedUrgentlyEvenWithoutAFreePlace() throws {
        var fixture = try full()
        _ = fixture.handle(.sighted(Fixture.sighting(102)))
        let dial = try #require(fixture.handle(.wanted(Fixture.peer(102).prefix)).dialIDs.first)
        let opened = fixture.handle(.linkOpened(102, try fixture.opened(102, dial: dial.rawValue)))
        let invitation = try fixture.invitation(isUrgent: true, room: 0)
        #expect(opened == [.send(.invitation(invitation), to: 102), try state(102, .connecting)])
        #expect(
            fixture.handle(.received(102, .accept(room: 1))) == [
                try state(102, .connected),
                .send(.walk(Walk(kind: .offer, timeToLive: 0, origin: try Fixture.card(102))), to: 1),
            ])
    }

    @Test func whoLosesItsPlaceForWantOfRoomIsNotDialledAgainAtOnce() throws {
        var fixture = try full()
        try fixture.connect(2, on: 2, room: 2)
        _ = fixture.handle(.linkClosed(1, .goodbye(Goodbye(.full, ""))))
        let effects = fixture.handle(.linkClosed(2, .broken("reset")), after: .seconds(1))
        #expect(!effects.dials.contains(Fixture.address(1)))
        let later = fixture.pass(MeshLimit.fullDelay * 3)
        #expect(later.dials.contains(Fixture.address(1)))
    }

    // MARK: - Joining

    @Test func aNewcomersFirstNeighbourSendsItOnToTheOthers() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        let effects = try fixture.connect(4, on: 4, isUrgent: true, room: UInt8(fixture.mesh.options.activeMax))
        let walk = Walk(kind: .join, timeToLive: MeshLimit.joinWalkSteps, origin: try Fixture.card(4))
        #expect(effects.walks.map(\.walk) == [walk, walk, walk])
        #expect(Set(effects.walks.map(\.link)) == [1, 2, 3])
    }

    @Test func noMoreWalksAreSentThanTheNewcomerHasPlacesFor() throws {
        var fixture = try Fixture(activeMax: 4)
        for rank in UInt8(1)...4 { try fixture.connect(rank, on: UInt64(rank)) }
        let effects = try fixture.connect(5, on: 5, isUrgent: true, room: 4)
        // One place is this link's, one is offered to who lost the link, and a split takes the other two.
        #expect(effects.walks.map(\.walk.kind) == [.offer, .join])
    }

    @Test func whoIsNotUrgentOrHasButOnePlaceIsNotSentOn() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        let places = UInt8(fixture.mesh.options.activeMax)
        #expect(try fixture.connect(4, on: 4, isUrgent: true, room: 1).walks.isEmpty)
        #expect(try fixture.connect(5, on: 5, isUrgent: false, room: places).walks.isEmpty)
    }

    // MARK: - Seeking

    @Test func whoHasPlacesLooksForNeighboursSoonAndThenMoreSeldom() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let join = Walk(kind: .join, timeToLive: MeshLimit.joinWalkSteps, origin: .own(fixture.me))
        let first = fixture.pass(MeshLimit.seekDelayMin).walks
        #expect(first.map(\.walk) == [join] && first.map(\.link) == [1])
        _ = fixture.pass(MeshLimit.seekDelayMax * 2)
        let later = fixture.pass(MeshLimit.seekDelayMax * 10).walks.map(\.walk)
        #expect((10...20).contains(later.count))
        #expect(later.allSatisfy { $0 == join })
    }

    @Test func whoHasOnePlaceSeeksAnotherThatHasOne() throws {
        var fixture = try Fixture(activeMax: 2)
        try fixture.connect(1, on: 1)
        let seek = Walk(kind: .seek, timeToLive: MeshLimit.seekWalkSteps, origin: .own(fixture.me))
        #expect(fixture.pass(MeshLimit.seekDelayMin).walks.map(\.walk) == [seek])
    }

    @Test func whoHasNoPlaceLooksForNobody() throws {
        var fixture = try full()
        #expect(fixture.pass(.seconds(300)).walks.isEmpty)
    }

    @Test func whoIsLinkedWithEverybodyLooksForNobody() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        for (rank, name) in [(UInt8(100), "me"), (1, "p1")] {
            let presence = Presence(isHere: true, name: try PeerName(name), rooms: [])
            let record = try fixture.record(by: rank, kind: .presence, body: presence.body)
            _ = fixture.handle(
                rank == 100 ? .submitted(record) : .heard(1, record, RecordArrival(timeToLive: 5, hops: 1)))
        }
        #expect(fixture.pass(.seconds(60)).walks.isEmpty)
    }

    @Test func anotherNeighbourIsLookedForSoonAfterOneIsLost() throws {
        var fixture = try Fixture(activeMax: 2)
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        _ = fixture.pass(.seconds(60))
        _ = fixture.handle(.linkClosed(2, .goodbye(Goodbye(.leaving, ""))))
        #expect(fixture.pass(MeshLimit.seekDelayMin).walks.map(\.walk.kind) == [.seek])
    }
}
