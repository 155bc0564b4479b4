import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Gaps of the tree: what a neighbour has and the tree does not bring is asked for.
@Suite struct GraftTests {
    /// A peer whose neighbours take every place, so that it looks for no others.
    private func fixture(links: UInt8) throws -> Fixture {
        var fixture = try Fixture(activeMax: Int(links))
        for rank in 1...links { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    private func have(_ record: VerifiedRecord) -> Frame {
        .have(Have(entries: [Have.Entry(id: record.id, hops: 2)]))
    }

    @Test func whatTheTreeDoesNotBringIsAskedForInTime() throws {
        var fixture = try fixture(links: 2)
        let record = try fixture.record(by: 9)
        let delay = fixture.mesh.options.graftDelay
        #expect(fixture.handle(.received(2, have(record))).isEmpty)
        #expect(fixture.mesh.nextDeadline == fixture.now.advanced(by: delay))
        #expect(fixture.handle(.woke, after: delay - .nanoseconds(1)).isEmpty)
        #expect(fixture.handle(.woke, after: .nanoseconds(1)) == [.send(.graft(Graft(ids: [record.id])), to: 2)])
    }

    @Test func whatComesInTimeIsNotAskedFor() throws {
        var fixture = try fixture(links: 2)
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.received(2, have(record)))
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)), after: .milliseconds(1))
        _ = fixture.handle(.received(2, have(record)))
        #expect(fixture.pass(fixture.mesh.options.graftDelay * 10).grafts.isEmpty)
    }

    @Test func eachWhoHasItIsAskedInTurnUntilItIsGivenUp() throws {
        var fixture = try fixture(links: 3)
        let record = try fixture.record(by: 9)
        for link in [LinkID(rawValue: 2), 3] { _ = fixture.handle(.received(link, have(record))) }
        let asked = fixture.pass(fixture.mesh.options.graftDelay * 100).grafts
        #expect(asked.allSatisfy { $0.ids == [record.id] })
        #expect(asked.map(\.link) == (0..<MeshLimit.missingRoundsMax).flatMap { _ in [LinkID(rawValue: 2), 3] })
    }

    @Test func theNextIsAskedWhenWhoWasAskedIsGone() throws {
        var fixture = try fixture(links: 3)
        let record = try fixture.record(by: 9)
        for link in [LinkID(rawValue: 2), 3] { _ = fixture.handle(.received(link, have(record))) }
        #expect(fixture.pass(fixture.mesh.options.graftDelay).grafts.map(\.link) == [2])
        _ = fixture.handle(.linkClosed(2, .broken("reset")))
        let asked = fixture.pass(fixture.mesh.options.graftDelay * 100).grafts
        #expect(!asked.isEmpty && asked.allSatisfy { $0.link == 3 })
    }

    @Test func manyFromOneNeighbourAreOneQuestion() throws {
        var fixture = try fixture(links: 2)
        var ids: [RecordID] = []
        for _ in 0..<100 { ids.append(try fixture.record(by: 9).id) }
        let entries = ids.map { Have.Entry(id: $0, hops: 2) }
        _ = fixture.handle(.received(2, .have(Have(entries: entries))))
        let asked = fixture.pass(fixture.mesh.options.graftDelay).grafts
        #expect(asked.map(\.ids) == [ids])
    }

    @Test func whoAsksIsGivenWhatIsThereAndPushedToFromThenOn() throws {
        var fixture = try fixture(links: 3)
        _ = fixture.handle(.received(3, .prune(of: nil)))
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(
            fixture.handle(.received(3, .graft(Graft(ids: [record.id])))) == [
                .forward(record, timeToLive: 4, hops: 3, to: [3])
            ])
        let next = try fixture.record(by: 9)
        #expect(
            fixture.handle(.heard(1, next, RecordArrival(timeToLive: 5, hops: 2))).forwarded.map(\.links) == [[2, 3]])
    }

    @Test func whoAsksForNothingIsPushedToFromThenOn() throws {
        var fixture = try fixture(links: 2)
        _ = fixture.handle(.received(2, .prune(of: nil)))
        #expect(fixture.handle(.received(2, .graft(Graft(ids: [])))).isEmpty)
        let next = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(1, next, RecordArrival(timeToLive: 5, hops: 2))).forwarded.map(\.links) == [[2]])
    }

    @Test func aNeighbourThatWasAskedIsPrunedIfTheTreeBringsItAfterAll() throws {
        var fixture = try fixture(links: 2)
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.received(2, have(record)))
        _ = fixture.pass(fixture.mesh.options.graftDelay)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(
            fixture.handle(.heard(2, record, RecordArrival(timeToLive: 5, hops: 2))) == [.send(.prune(of: nil), to: 2)])
    }

    @Test func aNeighbourThatWasAskedAndGivesIsABranchFromThenOn() throws {
        var fixture = try fixture(links: 2)
        _ = fixture.handle(.received(2, .prune(of: nil)))
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.received(2, have(record)))
        _ = fixture.pass(fixture.mesh.options.graftDelay)
        _ = fixture.handle(.heard(2, record, RecordArrival(timeToLive: 5, hops: 2)))
        let next = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(1, next, RecordArrival(timeToLive: 5, hops: 2))).forwarded.map(\.links) == [[2]])
    }

    /// A stray copy that is asked for leaves the way beside the tree behind: it is what the tree lacked.
    @Test func whatIsGivenToWhoAsksIsNotStray() throws {
        var fixture = try fixture(links: 2)
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2, isStray: true)))
        #expect(
            fixture.handle(.received(2, .graft(Graft(ids: [record.id])))) == [
                .forward(record, timeToLive: 4, hops: 3, isStray: false, to: [2])
            ])
    }
}
