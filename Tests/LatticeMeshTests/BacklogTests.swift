import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Records on a link that takes in slowly: link 3 of three.
@Suite struct BacklogTests {
    private func fixture() throws -> Fixture {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        #expect(fixture.handle(.linkBusy(3)).isEmpty)
        return fixture
    }

    /// Makes a record of 1,024 bytes.
    private static let kibBody = [UInt8](repeating: 1, count: 1_024 - 111)

    private func hear(_ count: Int, by rank: UInt8, in fixture: inout Fixture) throws -> [RecordID] {
        try (0..<count).map { _ in
            let record = try fixture.record(by: rank, body: Self.kibBody)
            _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 1)))
            return record.id
        }
    }

    @Test func onABusyLinkWhatOthersSayWaits() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: 9)
        #expect(
            fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2))) == [
                .deliver(record, hops: 2), .forward(record, timeToLive: 4, hops: 3, to: [2]),
            ])
        #expect(fixture.mesh.fairness.isBusy(3) && fixture.mesh.fairness.backlogCount == 1)
        #expect(fixture.handle(.linkFree(3)) == [.forward(record, timeToLive: 4, hops: 3, to: [3])])
        #expect(!fixture.mesh.fairness.isBusy(3) && fixture.mesh.fairness.backlogCount == 0)
        let next = try fixture.record(by: 9)
        #expect(
            fixture.handle(.heard(1, next, RecordArrival(timeToLive: 5, hops: 2))).forwarded.map(\.links) == [[2, 3]])
    }

    @Test func theQuietOnesLineIsInTheFirstPortionHoweverMuchTheLoudOneSaid() throws {
        var fixture = try fixture()
        let loud = try hear(600, by: 9, in: &fixture)
        let quiet = try hear(1, by: 8, in: &fixture)
        let first = fixture.handle(.linkFree(3)).forwarded.map(\.record)
        #expect(first == Array(loud[..<4] + quiet + loud[4..<511]))
        #expect(fixture.mesh.fairness.isBusy(3))
        #expect(fixture.handle(.linkFree(3)).forwarded.map(\.record) == Array(loud[511...]))
        #expect(!fixture.mesh.fairness.isBusy(3) && fixture.handle(.linkFree(3)).isEmpty)
    }

    @Test func whatIsSaidBetweenTwoPortionsWaitsToo() throws {
        var fixture = try fixture()
        let loud = try hear(600, by: 9, in: &fixture)
        _ = fixture.handle(.linkFree(3))
        let quiet = try hear(1, by: 8, in: &fixture)
        #expect(fixture.handle(.linkFree(3)).forwarded.map(\.record) == quiet + loud[512...])
    }

    @Test func ownRecordsAndOtherFramesDoNotWait() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: 100)
        #expect(
            fixture.handle(.submitted(record)) == [
                .deliver(record, hops: 0), .forward(record, timeToLive: 32, hops: 1, to: [1, 2, 3]),
            ])
        #expect(fixture.handle(.received(3, .ping(nonce: 5))) == [.send(.pong(nonce: 5), to: 3)])
    }

    @Test func whatTheNeighbourHasMeanwhileIsNotSent() throws {
        var fixture = try fixture()
        let records = try (0..<3).map { _ in try fixture.record(by: 9) }
        for record in records { _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2))) }
        _ = fixture.handle(.heard(3, records[0], RecordArrival(timeToLive: 5, hops: 2)))
        let have = Have(entries: [Have.Entry(id: records[1].id, hops: 2)])
        _ = fixture.handle(.received(3, .have(have)))
        #expect(fixture.handle(.linkFree(3)).forwarded.map(\.record) == [records[2].id])
        #expect(!fixture.mesh.fairness.isBusy(3))
    }

    @Test func ofTooMuchThatWaitsTheLoudOneLosesItsNewestAndItIsCounted() throws {
        var fixture = try fixture()
        let loud = try hear(MeshLimit.backlogMax + 10, by: 9, in: &fixture)
        #expect(fixture.mesh.refusalCounts == Fixture.refused(.backlog, 10))
        let quiet = try hear(5, by: 8, in: &fixture)
        #expect(fixture.mesh.refusalCounts == Fixture.refused(.backlog, 15))
        #expect(fixture.mesh.fairness.backlogCount == MeshLimit.backlogMax)
        var sent: [RecordID] = []
        while fixture.mesh.fairness.isBusy(3) { sent += fixture.handle(.linkFree(3)).forwarded.map(\.record) }
        #expect(sent.filter(quiet.contains) == quiet)
        #expect(sent.filter { !quiet.contains($0) } == Array(loud[..<(MeshLimit.backlogMax - 5)]))
    }

    @Test func whatWaitsForALinkEndsWithIt() throws {
        var fixture = try fixture()
        _ = try hear(10, by: 9, in: &fixture)
        _ = fixture.handle(.linkClosed(3, .broken("reset")))
        #expect(fixture.mesh.fairness.backlogCount == 0 && !fixture.mesh.fairness.isBusy(3))
        #expect(fixture.handle(.linkFree(3)).isEmpty)
    }

    @Test func nothingIsSentAfterAGoodbye() throws {
        var fixture = try fixture()
        _ = try hear(10, by: 9, in: &fixture)
        _ = fixture.handle(.leaving)
        #expect(fixture.handle(.linkFree(3)).isEmpty)
        #expect(fixture.mesh.fairness.backlogCount == 0)
    }

    @Test func onlyAConnectedLinkIsBusy() throws {
        var fixture = try Fixture()
        _ = fixture.handle(.linkOpened(1, try fixture.opened(1)))
        _ = fixture.handle(.linkBusy(1))
        _ = fixture.handle(.linkBusy(7))
        #expect(!fixture.mesh.fairness.isBusy(1) && !fixture.mesh.fairness.isBusy(7))
    }
}
