import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// How the tree takes its shape: which of two links that bring the same record stays a branch.
@Suite struct TreeTests {
    private let worth: Duration

    init() throws {
        worth = try Fixture().mesh.options.hopWorth
    }

    /// A peer whose neighbours take every place, so that it looks for no others.
    private func fixture(links: UInt8 = 3) throws -> Fixture {
        var fixture = try Fixture(activeMax: Int(links))
        for rank in 1...links { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    /// The links on which the next record of this origin is pushed, and not told of.
    private func branches(
        of fixture: inout Fixture, from giver: LinkID, hops: UInt8 = 20
    ) throws -> [LinkID] {
        let effects = fixture.handle(.heard(giver, try fixture.record(by: 9), timeToLive: 9, hops: hops))
        return effects.pushed.tree
    }

    // MARK: - Two that bring the same

    @Test func aLinkThatBringsAgainWhatAnotherBroughtIsPrunedAndOnlyTold() throws {
        var fixture = try fixture()
        let first = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, first, timeToLive: 5, hops: 20))
        #expect(
            fixture.handle(.heard(2, first, timeToLive: 5, hops: 20)) == [.send(.prune(of: nil), to: 2)])
        #expect(try branches(of: &fixture, from: 1) == [3])
        #expect(fixture.handle(.woke, after: fixture.mesh.options.haveDelay).haves.map(\.link) == [2])
    }

    @Test func aLinkThatWasFirstBeforeIsPrunedForItsFirstDuplicate() throws {
        var fixture = try fixture(links: 2)
        _ = fixture.handle(.heard(2, try fixture.record(by: 8), timeToLive: 5, hops: 20))
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, record, timeToLive: 5, hops: 20))
        #expect(fixture.handle(.heard(2, record, timeToLive: 5, hops: 20)).prunes.map(\.link) == [2])
    }

    @Test func aPrunedLinkThatIsFirstIsNoBranchUntilItIsAsked() throws {
        var fixture = try fixture(links: 2)
        _ = fixture.handle(.received(2, .prune(of: nil)))
        #expect(try branches(of: &fixture, from: 1) == [])
        #expect(try branches(of: &fixture, from: 2) == [1])
        #expect(try branches(of: &fixture, from: 1) == [])
        _ = fixture.handle(.received(2, .graft(Graft(ids: []))))
        #expect(try branches(of: &fixture, from: 1) == [2])
    }

    // MARK: - The better way

    @Test func aCopyOverFewerHopsThatComesSoonEnoughPrunesWhoWasFirst() throws {
        for saved in UInt8(1)...5 {
            var fixture = try fixture()
            let record = try fixture.record(by: 9)
            _ = fixture.handle(.heard(1, record, timeToLive: 9, hops: 20))
            let effects = fixture.handle(
                .heard(2, record, timeToLive: 9, hops: 20 - saved), after: worth * Int(saved))
            #expect(effects == [.send(.prune(of: nil), to: 1)], "\(saved) hops saved")
            #expect(try branches(of: &fixture, from: 2) == [3])
        }
    }

    @Test func aCopyOverFewerHopsThatComesTooLateIsPruned() throws {
        for saved in UInt8(1)...5 {
            var fixture = try fixture()
            let record = try fixture.record(by: 9)
            _ = fixture.handle(.heard(1, record, timeToLive: 9, hops: 20))
            let effects = fixture.handle(
                .heard(2, record, timeToLive: 9, hops: 20 - saved), after: worth * Int(saved) + .nanoseconds(1))
            #expect(effects == [.send(.prune(of: nil), to: 2)], "\(saved) hops saved")
            #expect(try branches(of: &fixture, from: 1) == [3])
        }
    }

    @Test func aCopyOverAsManyHopsOrMoreIsPrunedHoweverSoonItComes() throws {
        for hops in [UInt8(20), 21, 30] {
            var fixture = try fixture()
            let record = try fixture.record(by: 9)
            _ = fixture.handle(.heard(1, record, timeToLive: 9, hops: 20))
            #expect(fixture.handle(.heard(2, record, timeToLive: 9, hops: hops)).prunes.map(\.link) == [2])
        }
    }

    @Test func theThirdCopyIsComparedWithTheBetterOfTheFirstTwo() throws {
        for (hops, pruned) in [(UInt8(15), LinkID(rawValue: 3)), (14, 2)] {
            var fixture = try fixture()
            let record = try fixture.record(by: 9)
            _ = fixture.handle(.heard(1, record, timeToLive: 9, hops: 20))
            #expect(fixture.handle(.heard(2, record, timeToLive: 9, hops: 15)).prunes.map(\.link) == [1])
            #expect(fixture.handle(.heard(3, record, timeToLive: 9, hops: hops)).prunes.map(\.link) == [pruned])
        }
    }

    // MARK: - What is no reason to prune

    @Test func nobodyIsPrunedWhereTheFirstGiverIsNoBranchAnyMore() throws {
        for isGone in [true, false] {
            var fixture = try fixture()
            let record = try fixture.record(by: 9)
            _ = fixture.handle(.heard(1, record, timeToLive: 9, hops: 20))
            _ = fixture.handle(isGone ? .linkClosed(1, .broken("reset")) : .received(1, .prune(of: nil)))
            for hops in [UInt8(20), 3] {
                #expect(fixture.handle(.heard(2, record, timeToLive: 9, hops: hops)).isEmpty)
            }
        }
    }

    @Test func nobodyIsPrunedForWhatWeSaidOurselves() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: 100)
        _ = fixture.handle(.submitted(record))
        for link in [LinkID(rawValue: 1), 2] {
            #expect(fixture.handle(.heard(link, record, timeToLive: 9, hops: 2)).isEmpty)
        }
    }

    @Test func nobodyIsPrunedForACopyThatComesWhenTheFirstIsForgotten() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, record, timeToLive: 9, hops: 20))
        // The next record takes the place of what is too old.
        _ = fixture.handle(
            .heard(1, try fixture.record(by: 9), timeToLive: 9, hops: 20), after: MeshLimit.recentAge + .seconds(1))
        #expect(fixture.handle(.heard(2, record, timeToLive: 9, hops: 20)).isEmpty)
    }

    @Test func whatComesOnALinkWeSaidGoodbyeOnPrunesNobody() throws {
        var fixture = try fixture(links: 2)
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, record, timeToLive: 9, hops: 20))
        // Peer 2 has room for another: it is given up for the newcomer and still heard.
        _ = fixture.handle(
            .received(2, .walk(Walk(kind: .offer, timeToLive: 0, origin: try Fixture.card(1)))))
        #expect(fixture.mesh.connectedCount == 1)
        #expect(fixture.handle(.heard(2, record, timeToLive: 9, hops: 20)).isEmpty)
        let late = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(2, late, timeToLive: 9, hops: 20)).deliveredCount == 1)
    }

    // MARK: - Many speakers

    @Test func whoeverIsBetterForOneSpeakerIsJudgedAfreshForTheNext() throws {
        var fixture = try fixture()
        let first = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, first, timeToLive: 9, hops: 20))
        #expect(fixture.handle(.heard(2, first, timeToLive: 9, hops: 19)).prunes.map(\.link) == [1])
        let second = try fixture.record(by: 8)
        _ = fixture.handle(.heard(3, second, timeToLive: 9, hops: 20))
        #expect(fixture.handle(.heard(2, second, timeToLive: 9, hops: 20)).prunes.map(\.link) == [2])
    }
}
