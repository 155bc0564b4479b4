import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// A link makes way for a newcomer only when there is another way: who is offered one takes it first and then gives the old
/// one up.
@Suite struct OfferTests {
    /// A peer whose slots are all taken by peers that dialled it: peer 1 on link 1 and so on.
    private func full(_ links: UInt8, policy: MeshOptions.Policy = .auto) throws -> Fixture {
        var fixture = try Fixture(policy: policy, contacts: Array(1...links), activeMax: Int(links))
        for rank in 1...links { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    private func offer(of rank: UInt8, _ timeToLive: UInt8 = 0) throws -> Walk {
        Walk(kind: .offer, timeToLive: timeToLive, origin: try Fixture.card(rank))
    }

    private func offered(_ rank: UInt8 = 50, on link: LinkID, by fixture: inout Fixture) throws -> [MeshEffect] {
        fixture.handle(.received(link, .walk(try offer(of: rank))))
    }

    private func state(_ rank: UInt8, _ state: LinkState, _ end: LinkEnd? = nil) throws -> MeshEffect {
        .stateChanged(Fixture.peer(rank), try PeerName("p\(rank)"), state, end)
    }

    private let given = Goodbye(.full, "its place went to another")

    // MARK: - Who is offered a newcomer

    @Test func whoIsOfferedANewcomerLinksWithItAndThenGivesTheLinkUp() throws {
        var fixture = try full(2)
        #expect(try offered(on: 1, by: &fixture) == [.dial(DialID(rawValue: 1), Fixture.address(50))])
        let invitation = try fixture.invitation(isUrgent: false, room: 1)
        #expect(
            fixture.handle(.linkOpened(50, try fixture.opened(50, dial: 1))) == [
                .send(.invitation(invitation), to: 50), try state(50, .connecting),
            ])
        #expect(fixture.mesh.register.neighbourCount == 2)
        #expect(
            fixture.handle(.received(50, .accept(room: 3))) == [
                try state(50, .connected), .close(1, given), try state(1, .notConnected, .rearranged),
            ])
        #expect(fixture.mesh.register.neighbourCount == 2)
    }

    @Test func whoIsLinkedWithTheNewcomerGivesTheLinkUpAtOnce() throws {
        var fixture = try full(2)
        #expect(try offered(2, on: 1, by: &fixture) == [.close(1, given), try state(1, .notConnected, .rearranged)])
    }

    @Test func anInvitationToTheNewcomerThatIsUnderWayIsNoOtherWayYet() throws {
        var fixture = try full(3)
        let dial = try #require(try offered(on: 1, by: &fixture).dialIDs.first)
        _ = fixture.handle(.linkOpened(50, try fixture.opened(50, dial: dial.rawValue)))
        #expect(try offered(on: 2, by: &fixture).isEmpty)
        #expect(fixture.handle(.received(50, .refuse(.full))).closed == [50])
        #expect(fixture.mesh.register.neighbourCount == 3)
    }

    @Test func theLinkStaysWhereTheNewcomerIsNotReached() throws {
        var fixture = try full(2)
        let dial = try #require(try offered(on: 1, by: &fixture).dialIDs.first)
        #expect(fixture.handle(.dialFailed(dial, .noConnection(reason: "refused"))).closed.isEmpty)
        #expect(fixture.mesh.register.neighbourCount == 2)
        // It is no longer insisted on: there is no place for it.
        #expect(fixture.pass(.seconds(60)).dials.isEmpty)
    }

    @Test func theLinkStaysWhereTheNewcomerRefuses() throws {
        var fixture = try full(2)
        let dial = try #require(try offered(on: 1, by: &fixture).dialIDs.first)
        _ = fixture.handle(.linkOpened(50, try fixture.opened(50, dial: dial.rawValue)))
        #expect(fixture.handle(.received(50, .refuse(.full))).closed == [50])
        #expect(fixture.mesh.register.neighbourCount == 2)
    }

    @Test func whoHasAPlaceFreeTakesTheNewcomerIntoItAndGivesTheLinkUpAllTheSame() throws {
        var fixture = try Fixture(activeMax: 3)
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let dial = try #require(try offered(on: 1, by: &fixture).dialIDs.first)
        _ = fixture.handle(.linkOpened(50, try fixture.opened(50, dial: dial.rawValue)))
        #expect(fixture.handle(.received(50, .accept(room: 3))).closed == [1])
        #expect(fixture.mesh.register.neighbourCount == 2)
    }

    @Test func anOfferIsNeverPassedOn() throws {
        for places in [2, 3] {
            var fixture = try Fixture(activeMax: places)
            for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
            #expect(fixture.handle(.received(1, .walk(try offer(of: 50, 9)))).walks.isEmpty)
        }
    }

    @Test func anOfferGoesBeforeOthersThatAreKnown() throws {
        for seed in UInt64(1)...20 {
            var fixture = try Fixture(activeMax: 1, seed: seed)
            try fixture.connect(1, on: 1)
            for rank in UInt8(110)...130 { _ = fixture.handle(.sighted(Fixture.sighting(rank))) }
            #expect(try offered(on: 1, by: &fixture).dials == [Fixture.address(50)], "seed \(seed)")
        }
    }

    @Test func whoChoosesItsPeersTakesNoOfferOfAStranger() throws {
        for policy in [MeshOptions.Policy.contacts, .ask] {
            var fixture = try full(2, policy: policy)
            #expect(try offered(on: 1, by: &fixture).isEmpty, "\(policy)")
            #expect(fixture.pass(.seconds(60)).dials.isEmpty, "\(policy)")
        }
    }

    // MARK: - Who offers one

    @Test func anOfferThatNobodyTakesUpEndsInOneLinkLess() throws {
        var fixture = try full(4)
        #expect(try fixture.connect(50, on: 50, room: 4).walks.map(\.walk) == [try offer(of: 50)])
        #expect(fixture.mesh.register.neighbourCount == 5)
        #expect(fixture.pass(MeshLimit.offerTimeout - .nanoseconds(1)).closed.isEmpty)
        let trimmed = fixture.pass(.nanoseconds(1))
        #expect(trimmed.closed.count == 1 && fixture.mesh.register.neighbourCount == 4)
        let link = try #require(trimmed.closed.first)
        #expect(trimmed.contains(.close(link, given)))
    }

    @Test func whatIsTooManyIsNoneOfOurChoice() throws {
        for seed in UInt64(1)...20 {
            var fixture = try Fixture(activeMax: 3, seed: seed)
            for rank in UInt8(150)...152 { try fixture.dial(rank, on: UInt64(rank)) }
            let offers = try fixture.connect(50, on: 50, isUrgent: true, room: 2).walks
            #expect(offers.map(\.walk) == [try offer(of: 50)], "seed \(seed)")
            #expect(fixture.pass(MeshLimit.offerTimeout).closed == [50], "seed \(seed)")
        }
    }

    @Test func severalNewcomersAreOfferedAndAllThatNobodyTookIsTrimmed() throws {
        var fixture = try full(4)
        for rank in UInt8(50)...53 {
            #expect(try fixture.connect(rank, on: UInt64(rank), room: 4).walks.map(\.walk.kind) == [.offer])
        }
        #expect(fixture.mesh.register.neighbourCount == 8)
        #expect(fixture.pass(MeshLimit.offerTimeout).closed.count == 4)
        #expect(fixture.mesh.register.neighbourCount == 4)
    }

    @Test func whoHasLostEveryLinkWhileAnOfferStoodIsNotWokenForIt() throws {
        var fixture = try full(2)
        #expect(try fixture.connect(50, on: 50, room: 4).walks.map(\.walk.kind) == [.offer])
        for link in [LinkID(rawValue: 1), 2, 50] { _ = fixture.handle(.linkClosed(link, .broken("reset"))) }
        _ = fixture.handle(.woke, after: MeshLimit.offerTimeout)
        #expect(fixture.mesh.nextDeadline.map { $0 > fixture.now } ?? true)
    }

    @Test func linksTooManyAreGivenUpThoughNewcomersKeepComing() throws {
        var fixture = try full(4)
        var most = 0
        for rank in UInt8(110)...170 {
            _ = try fixture.connect(rank, on: UInt64(rank), room: 4)
            _ = fixture.pass(MeshLimit.offerTimeout / 4)
            most = max(most, fixture.mesh.register.neighbourCount)
        }
        // Four come within the time that an offer stands.
        #expect(most <= 4 + 5)
    }

    @Test func anOfferThatStillStandsIsNotCutShortByAnEarlierOne() throws {
        var fixture = try full(4)
        _ = try fixture.connect(50, on: 50, room: 4)
        _ = fixture.pass(MeshLimit.offerTimeout / 2)
        _ = try fixture.connect(51, on: 51, room: 4)
        #expect(fixture.pass(MeshLimit.offerTimeout / 2).closed.count == 1)
        #expect(fixture.mesh.register.neighbourCount == 5)
        #expect(fixture.pass(MeshLimit.offerTimeout / 2).closed.count == 1)
        #expect(fixture.mesh.register.neighbourCount == 4)
    }

    @Test func aNewcomerThatLeavesAgainCostsNobodyAPlace() throws {
        var fixture = try full(4)
        _ = try fixture.connect(50, on: 50, room: 4)
        _ = fixture.handle(.linkClosed(50, .broken("reset")))
        #expect(fixture.pass(MeshLimit.offerTimeout * 2).closed.isEmpty)
        #expect(fixture.mesh.register.neighbourCount == 4)
    }

    // MARK: - Liars

    @Test func whoOffersManyCostsItsOwnLinkAndNoOther() throws {
        var fixture = try full(4)
        let dials = try (UInt8(50)...55).flatMap { try offered($0, on: 1, by: &fixture).dialIDs }
        for (number, dial) in dials.enumerated() {
            let rank = UInt8(50 + number)
            _ = fixture.handle(
                .linkOpened(LinkID(rawValue: UInt64(rank)), try fixture.opened(rank, dial: dial.rawValue)))
        }
        var closed: [LinkID] = []
        for rank in UInt64(50)..<50 + UInt64(dials.count) {
            closed += fixture.handle(.received(LinkID(rawValue: rank), .accept(room: 0))).closed
        }
        closed += fixture.pass(MeshLimit.offerTimeout).closed
        #expect(closed.contains(1))
        #expect(!closed.contains { (LinkID(rawValue: 2)...4).contains($0) })
        #expect(fixture.mesh.register.neighbourCount == 4)
    }
}
