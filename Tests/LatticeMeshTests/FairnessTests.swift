import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// What is taken from one speaker, and from one link. A rate of 16 a second allows 64 at once, one of 32 allows 128.
@Suite struct FairnessTests {
    private func fixture(originRate: Int64 = 16, linkRate: Int64 = 16_384) throws -> Fixture {
        var fixture = try Fixture()
        var options = fixture.mesh.options
        options.originRate = originRate
        options.linkRate = linkRate
        fixture.mesh = Mesh(me: fixture.me, presence: fixture.mesh.presences.own, options: options, seed: 1)
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    /// - Returns: how many of them were taken.
    private func hear(
        _ count: Int, by rank: UInt8, on link: LinkID = 1, body: [UInt8] = [1], in fixture: inout Fixture
    ) throws -> Int {
        var taken = 0
        for _ in 0..<count {
            let record = try fixture.record(by: rank, body: body)
            let effects = fixture.handle(.heard(link, record, RecordArrival(timeToLive: 1, hops: 1)))
            if effects.contains(.deliver(record, hops: 1)) { taken += 1 }
        }
        return taken
    }

    @Test func whoSaysTooMuchIsRefusedAndOthersAreHeard() throws {
        var fixture = try fixture()
        #expect(try hear(70, by: 9, in: &fixture) == 64)
        #expect(fixture.mesh.refusalCounts == Fixture.refused(.origin, 6))
        #expect(try hear(1, by: 8, in: &fixture) == 1)
        fixture.now = fixture.now.advanced(by: .seconds(1))
        #expect(try hear(20, by: 9, in: &fixture) == 16)
    }

    @Test func whatWasRefusedIsNotSeenAndAnotherCopyBringsIt() throws {
        var fixture = try fixture()
        #expect(try hear(64, by: 9, in: &fixture) == 64)
        let record = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2))).isEmpty)
        #expect(!fixture.mesh.broadcast.hasSeen(record.id))
        #expect(
            fixture.handle(.heard(2, record, RecordArrival(timeToLive: 5, hops: 2)), after: .milliseconds(63)) == [
                .deliver(record, hops: 2), .forward(record, timeToLive: 4, hops: 3, to: [1]),
            ])
    }

    @Test func whoRepeatsWhatSomebodySaidDoesNotSilenceThem() throws {
        var fixture = try fixture()
        let record = try fixture.record(by: 9)
        for _ in 0..<200 { _ = fixture.handle(.heard(2, record, RecordArrival(timeToLive: 1, hops: 1))) }
        #expect(fixture.mesh.refusalCounts == RefusalCounts())
        #expect(try hear(64, by: 9, in: &fixture) == 63)
    }

    @Test func longRecordsCostTheirLength() throws {
        var fixture = try fixture()
        // With what a record says beside its body, a byte more than four KiB.
        let body = [UInt8](repeating: 1, count: 4 * 1_024 + 1 - 111)
        #expect(try fixture.record(by: 9, body: body).signed.bytes.count == 4 * 1_024 + 1)
        #expect(try hear(20, by: 9, body: body, in: &fixture) == 12)
        #expect(try hear(20, by: 9, in: &fixture) == 4)
    }

    @Test func manyIdentitiesBehindOneLinkAreOneLink() throws {
        var fixture = try fixture(linkRate: 32)
        for rank in UInt8(101)...228 { #expect(try hear(1, by: rank, in: &fixture) == 1) }
        let late = try fixture.record(by: 229)
        #expect(fixture.handle(.heard(1, late, RecordArrival(timeToLive: 1, hops: 1))).isEmpty)
        #expect(fixture.mesh.refusalCounts == Fixture.refused(.link, 1))
        #expect(fixture.handle(.heard(2, late, RecordArrival(timeToLive: 1, hops: 1))) == [.deliver(late, hops: 1)])
    }

    @Test func theLoudLeaveRoomOnALinkForTheQuiet() throws {
        var fixture = try fixture(linkRate: 32)
        #expect(try hear(64, by: 9, in: &fixture) == 64)
        // Loud from its second half on, when more than half of the link's bucket is gone.
        #expect(try hear(64, by: 8, in: &fixture) == 33)
        #expect(fixture.mesh.refusalCounts == Fixture.refused(.link, 31))
        #expect(try hear(31, by: 7, in: &fixture) == 31)
        #expect(try hear(1, by: 6, in: &fixture) == 0)
    }

    @Test func ownSpeechIsPacedAndNotRefused() throws {
        var fixture = try fixture()
        for _ in 0..<31 { _ = fixture.handle(.submitted(try fixture.record(by: 100))) }
        #expect(!fixture.mesh.isPaced(at: fixture.now))
        for _ in 0..<9 {
            let record = try fixture.record(by: 100)
            #expect(
                fixture.handle(.submitted(record)) == [
                    .deliver(record, hops: 0), .forward(record, timeToLive: 32, hops: 1, to: [1, 2]),
                ])
        }
        // Nine sixteenths of a second until there is a token again, and a little more.
        let until = fixture.now.advanced(by: .milliseconds(562.5 + 50))
        #expect(fixture.mesh.isPaced(at: fixture.now) && fixture.mesh.fairness.quietUntil(at: fixture.now) == until)
        #expect(!fixture.mesh.isPaced(at: until) && fixture.mesh.fairness.quietUntil(at: until) == nil)
        #expect(fixture.mesh.refusalCounts == RefusalCounts())
    }
}
