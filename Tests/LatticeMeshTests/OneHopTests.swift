import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// Where most records come straight from their origin, nobody else needs to bring them.
@Suite struct OneHopTests {
    private static let direct = RecordArrival(timeToLive: 9, hops: 1)
    private static let relayed = RecordArrival(timeToLive: 9, hops: 2)

    /// A peer of rank 100 whose links have the ranks of their peers as numbers. Link 3 brought a record over one hop.
    private func fixture(_ ranks: [UInt8] = [1, 2, 3]) throws -> Fixture {
        var fixture = try Fixture(activeMax: ranks.count)
        for rank in ranks { try fixture.connect(rank, on: UInt64(rank)) }
        _ = fixture.handle(.heard(3, try fixture.record(by: 3), Self.direct))
        return fixture
    }

    private func have(_ records: VerifiedRecord...) -> Frame {
        .have(Have(entries: records.map { Have.Entry(id: $0.id, hops: 2) }))
    }

    private func prune(_ author: UInt8, _ link: LinkID) -> MeshEffect {
        .send(.prune(of: Fixture.peer(author)), to: link)
    }

    /// Peer 1 says something, and link 2 brings it again.
    private func duplicate(_ fixture: inout Fixture, isStray: Bool = false) throws -> [MeshEffect] {
        let record = try fixture.record(by: 1)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 1, isStray: isStray)))
        return fixture.handle(.heard(2, record, Self.relayed))
    }

    // MARK: - Duplicates

    @Test func aBranchThatBringsWhatItsOriginBroughtIsPrunedOfThatAuthorAlone() throws {
        for isStray in [false, true] {
            var fixture = try fixture()
            #expect(try duplicate(&fixture, isStray: isStray) == [prune(1, 2)])
            let other = try fixture.record(by: 3)
            #expect(fixture.handle(.heard(3, other, Self.direct)).pushed.tree == [1, 2])
        }
    }

    @Test func aBranchThatBringsBackWhatWeSaidIsPrunedOfUs() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: 100)
        _ = fixture.handle(.submitted(record))
        #expect(fixture.handle(.heard(1, record, Self.relayed)) == [prune(100, 1)])
    }

    @Test func theCopyOfItsOriginOnABranchIsPreferredToAStraySoonerOne() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: 1)
        _ = fixture.handle(.heard(2, record, RecordArrival(timeToLive: 9, hops: 2, isStray: true)))
        #expect(fixture.handle(.heard(1, record, Self.direct)) == [prune(1, 2)])
    }

    @Test func anAuthorIsNeverPrunedOnBothLinksThatBringHisRecords() throws {
        var fixture = try fixture()
        _ = fixture.handle(.received(1, .prune(of: nil)))
        #expect(try duplicate(&fixture, isStray: true) == [prune(1, 2)])
        let next = try fixture.record(by: 1)
        _ = fixture.handle(.heard(2, next, Self.relayed))
        #expect(fixture.handle(.heard(1, next, RecordArrival(timeToLive: 9, hops: 1, isStray: true))).isEmpty)
    }

    @Test func anOriginThatWasPrunedAndIsFirstAllTheSameBecomesABranch() throws {
        var fixture = try fixture()
        _ = fixture.handle(.received(1, .prune(of: nil)))
        let record = try fixture.record(by: 1)
        _ = fixture.handle(.heard(2, record, Self.relayed))
        #expect(
            fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 1, isStray: true))) == [prune(1, 1)])
        #expect(try duplicate(&fixture, isStray: true) == [prune(1, 2), .send(.graft(Graft(ids: [])), to: 1)])
    }

    // MARK: - Ways that end or lose records

    @Test func whenTheLinkOfAnOriginEndsOneOtherLinkBringsItsRecordsAgain() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: 1)
        _ = fixture.handle(.heard(1, record, Self.direct))
        for link in [LinkID(rawValue: 2), 3] { _ = fixture.handle(.heard(link, record, Self.relayed)) }
        let grafts = fixture.handle(.linkClosed(1, .broken("reset"))).grafts
        #expect(grafts.map(\.link) == [2] && grafts.allSatisfy { $0.ids.isEmpty })
    }

    @Test func anAuthorWhoseRecordHadToBeRequestedComesByOthersForAWhile() throws {
        var fixture = try fixture([1, 2, 3, 4, 5, 6])
        let record = try fixture.record(by: 1)
        for link in UInt64(1)...6 {
            let arrival = RecordArrival(timeToLive: 9, hops: link == 1 ? 1 : 2)
            _ = fixture.handle(.heard(LinkID(rawValue: link), record, arrival))
        }
        let lost = try fixture.record(by: 1)
        _ = fixture.handle(.received(2, have(lost)))
        #expect(fixture.pass(fixture.mesh.options.graftDelay / 3).grafts.map(\.link) == [2])
        #expect(fixture.handle(.heard(2, lost, Self.relayed)).grafts.map(\.link) == [3, 4])
        #expect(try duplicate(&fixture).isEmpty)
        _ = fixture.pass(MeshLimit.unreliableFor)
        #expect(try duplicate(&fixture) == [prune(1, 2)])
    }

    // MARK: - Announcements

    @Test func whoAnnouncesWhatItsOriginBroughtIsPrunedOfTheAuthorOnce() throws {
        var fixture = try fixture()
        for expected in [[prune(1, 2)], []] {
            let record = try fixture.record(by: 1)
            _ = fixture.handle(.heard(1, record, Self.direct))
            #expect(fixture.handle(.received(2, have(record))) == expected)
        }
    }

    /// A fixture whose neighbour on this link prunes author 1.
    private func pruned(by link: LinkID) throws -> Fixture {
        var fixture = try fixture([1, 2, 3, 120])
        _ = fixture.handle(.received(link, .prune(of: Fixture.peer(1))))
        return fixture
    }

    /// Author 1 says something that is announced on a link after exactly this time.
    private func expectHave(
        after wait: Duration, on link: LinkID, _ fixture: inout Fixture,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let record = try fixture.record(by: 1)
        #expect(fixture.handle(.heard(1, record, Self.direct)).haves.isEmpty)
        #expect(fixture.pass(wait - .milliseconds(1)).haves.isEmpty, sourceLocation: sourceLocation)
        let haves = fixture.pass(.milliseconds(1)).haves
        #expect(haves.map(\.link) == [link], sourceLocation: sourceLocation)
        #expect(haves.first?.entries.map(\.id) == [record.id], sourceLocation: sourceLocation)
    }

    @Test func whatANeighbourGetsAnotherWayIsAnnouncedLessAndLessOften() throws {
        var fixture = try pruned(by: 120)
        for wait in [50, 100, 200, 400, 800, 1_600, 3_200, 4_000, 4_000] {
            try expectHave(after: .milliseconds(wait), on: 120, &fixture)
        }
    }

    @Test func whatWaitsGoesOutInOneFrame() throws {
        var fixture = try pruned(by: 120)
        for wait in [50, 100, 200, 400] { try expectHave(after: .milliseconds(wait), on: 120, &fixture) }
        var ids: [RecordID] = []
        for _ in 0..<4 {
            let record = try fixture.record(by: 1)
            ids.append(record.id)
            #expect(fixture.handle(.heard(1, record, Self.direct)).haves.isEmpty)
            #expect(fixture.pass(.milliseconds(190)).haves.isEmpty)
        }
        #expect(fixture.pass(.milliseconds(40)).haves.map { $0.entries.map(\.id) } == [ids])
    }

    @Test func soManyDoNotWait() throws {
        var fixture = try pruned(by: 120)
        for number in 1...MeshLimit.postponedMax {
            #expect(fixture.handle(.heard(1, try fixture.record(by: 1), Self.direct)).haves.isEmpty)
            #expect(fixture.pass(.zero).haves.map(\.entries.count) == (number < MeshLimit.postponedMax ? [] : [number]))
        }
    }

    @Test func aNeighbourThatRequestsARecordIsAnnouncedToSoonAgain() throws {
        var fixture = try pruned(by: 120)
        for wait in [50, 100, 200, 400] { try expectHave(after: .milliseconds(wait), on: 120, &fixture) }
        let record = try fixture.record(by: 1)
        _ = fixture.handle(.heard(1, record, Self.direct))
        #expect(fixture.pass(.milliseconds(60)).haves.isEmpty)
        #expect(
            fixture.handle(.received(120, .graft(Graft(ids: [])))).haves.map { $0.entries.map(\.id) } == [[record.id]])
        _ = fixture.handle(.received(120, .prune(of: Fixture.peer(1))))
        try expectHave(after: .milliseconds(100), on: 120, &fixture)
    }

    @Test func theLargerIDLeavesTheOtherTimeToAnnounceFirst() throws {
        var fixture = try pruned(by: 2)
        for wait in [100, 200, 400, 800] { try expectHave(after: .milliseconds(wait), on: 2, &fixture) }
        let records = [try fixture.record(by: 1), try fixture.record(by: 1)]
        for record in records { _ = fixture.handle(.heard(1, record, Self.direct)) }
        #expect(fixture.pass(.milliseconds(800)).haves.isEmpty)
        _ = fixture.handle(.received(2, have(records[0])))
        #expect(fixture.pass(.milliseconds(800)).haves.map { $0.entries.map(\.id) } == [[records[1].id]])
    }

    @Test func anAnnouncementThatGoesOutAnywayTakesAlongWhatWaits() throws {
        var fixture = try fixture([1, 2, 3, 120])
        _ = fixture.handle(.received(120, .prune(of: nil)))
        _ = fixture.handle(.received(120, .prune(of: Fixture.peer(1))))
        let records = [try fixture.record(by: 1), try fixture.record(by: 3)]
        _ = fixture.handle(.heard(1, records[0], Self.direct))
        _ = fixture.handle(.heard(3, records[1], Self.direct))
        let haves = fixture.pass(fixture.mesh.options.haveDelay).haves
        #expect(haves.map(\.link) == [120] && haves.first?.entries.map(\.id) == [records[1].id, records[0].id])
    }
}
