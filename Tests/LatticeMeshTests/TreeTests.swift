import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// How the tree takes its shape: which of two links that bring the same record stays a branch.
@Suite struct TreeTests {
    /// A peer whose neighbours take every place, so that it looks for no others.
    private func fixture(links: UInt8 = 3) throws -> Fixture {
        var fixture = try Fixture(activeMax: Int(links))
        for rank in 1...links { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    /// The links on which the next record of this origin is pushed rather than announced.
    private func branches(
        of fixture: inout Fixture, from giver: LinkID, hops: UInt8 = 20
    ) throws -> [LinkID] {
        let effects = fixture.handle(.heard(giver, try fixture.record(by: 9), RecordArrival(timeToLive: 9, hops: hops)))
        return effects.pushed.tree
    }

    // MARK: - Two that bring the same

    @Test func aLinkThatBringsAgainWhatAnotherBroughtIsPrunedAndOnlyTold() throws {
        var fixture = try fixture()
        let first = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, first, RecordArrival(timeToLive: 5, hops: 20)))
        #expect(
            fixture.handle(.heard(2, first, RecordArrival(timeToLive: 5, hops: 20))) == [.send(.prune(of: nil), to: 2)])
        #expect(try branches(of: &fixture, from: 1) == [3])
        #expect(fixture.handle(.woke, after: fixture.mesh.options.haveDelay).haves.map(\.link) == [2])
    }

    @Test func aLinkThatWasOfUseIsPrunedAfterAFewDuplicatesInARow() throws {
        var fixture = try fixture(links: 2)
        for useful in [true, false] {
            if useful {
                _ = fixture.handle(.heard(2, try fixture.record(by: 8), RecordArrival(timeToLive: 5, hops: 20)))
            }
            for count in 1...MeshLimit.duplicatesMax {
                let record = try fixture.record(by: 9)
                _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 20)))
                let isLast = count == MeshLimit.duplicatesMax
                // A duplicate less than it takes, and it is of use again.
                if useful, isLast { break }
                let prunes = fixture.handle(.heard(2, record, RecordArrival(timeToLive: 5, hops: 20))).prunes.map(
                    \.link)
                if useful { #expect(prunes.isEmpty) }
                if !useful, !prunes.isEmpty { return #expect(prunes == [2]) }
            }
        }
        Issue.record("the link was never pruned")
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

    /// Link 2 is lazy; link 1 brings a record over 20 hops, and link 2 then tells of it with `hops`.
    private func told(_ hops: UInt8, isStray: Bool = false) throws -> (Fixture, [MeshEffect]) {
        var fixture = try fixture()
        _ = fixture.handle(.received(2, .prune(of: nil)))
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 20, isStray: isStray)))
        let have = Have(entries: [Have.Entry(id: record.id, hops: hops)])
        let effects = fixture.handle(.received(2, .have(have)))
        return (fixture, effects)
    }

    @Test func aNeighbourThatHadItOverFarFewerHopsTakesThePlaceOfTheGiver() throws {
        let saved = try Fixture().mesh.options.shortcutHops
        let (tree, effects) = try told(20 - saved)
        #expect(effects == [.send(.graft(Graft(ids: [])), to: 2), .send(.prune(of: nil), to: 1)])
        var fixture = tree
        let pushed = try branches(of: &fixture, from: 2)
        #expect(pushed == [3])
    }

    @Test func aNeighbourThatHadItOverAFewHopsLessTakesNobodysPlace() throws {
        let saved = try Fixture().mesh.options.shortcutHops
        #expect(try told(20 - saved + 1).1.isEmpty)
        #expect(try told(20).1.isEmpty)
    }

    @Test func whatCameBesideTheTreeSaysNothingOfTheTree() throws {
        #expect(try told(1, isStray: true).1.isEmpty)
    }

    // MARK: - What is no reason to prune

    @Test func nobodyIsPrunedWhereTheFirstGiverIsNoBranchAnyMore() throws {
        for isGone in [true, false] {
            var fixture = try fixture()
            let record = try fixture.record(by: 9)
            _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 20)))
            _ = fixture.handle(isGone ? .linkClosed(1, .broken("reset")) : .received(1, .prune(of: nil)))
            for hops in [UInt8(20), 3] {
                #expect(fixture.handle(.heard(2, record, RecordArrival(timeToLive: 9, hops: hops))).isEmpty)
            }
        }
    }

    @Test func nobodyIsPrunedForWhatWeSaidOurselves() throws {
        var fixture = try fixture()
        _ = fixture.handle(.heard(3, try fixture.record(by: 9), RecordArrival(timeToLive: 9, hops: 20)))
        let record = try fixture.record(by: 100)
        _ = fixture.handle(.submitted(record))
        for link in [LinkID(rawValue: 1), 2] {
            #expect(fixture.handle(.heard(link, record, RecordArrival(timeToLive: 9, hops: 2))).isEmpty)
        }
    }

    @Test func nobodyIsPrunedForACopyThatComesWhenTheFirstIsForgotten() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 20)))
        // The next record takes the place of what is too old.
        _ = fixture.handle(
            .heard(1, try fixture.record(by: 9), RecordArrival(timeToLive: 9, hops: 20)),
            after: MeshLimit.recentAge + .seconds(1))
        #expect(fixture.handle(.heard(2, record, RecordArrival(timeToLive: 9, hops: 20))).isEmpty)
    }

    @Test func whatComesOnALinkWeSaidGoodbyeOnPrunesNobody() throws {
        var fixture = try fixture(links: 2)
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 20)))
        // Peer 2 has room for another: it is given up for the newcomer and still heard.
        _ = fixture.handle(
            .received(2, .walk(Walk(kind: .offer, timeToLive: 0, origin: try Fixture.card(1)))))
        #expect(fixture.mesh.register.neighbourCount == 1)
        #expect(fixture.handle(.heard(2, record, RecordArrival(timeToLive: 9, hops: 20))).isEmpty)
        let late = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(2, late, RecordArrival(timeToLive: 9, hops: 20))).deliveredCount == 1)
    }
}
