import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@Suite struct FloodTests {
    @Test func aRecordGoesToEveryLinkButTheOneItCameFrom() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        let record = try fixture.record(by: 9)
        let effects = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(effects == [.deliver(record, hops: 2), .forward(record, timeToLive: 4, hops: 3, to: [2, 3])])
    }

    @Test func aRecordHeardAgainIsNeitherShownNorPassedOnAndPrunesItsLink() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(
            fixture.handle(.heard(2, record, RecordArrival(timeToLive: 9, hops: 2))) == [.send(.prune(of: nil), to: 2)])
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 2))).deliveredCount == 0)
    }

    @Test func aRecordWithOneLinkToGoEndsHere() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        let record = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 1, hops: 1))) == [.deliver(record, hops: 1)])
    }

    /// The neighbour had it from us or over another link, and so knows which of the two links is redundant.
    @Test func ownRecordsThatComeBackAreNotShownAndPruneNobody() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let record = try fixture.record(by: 100)
        #expect(
            fixture.handle(.submitted(record)) == [
                .deliver(record, hops: 0), .forward(record, timeToLive: 32, hops: 1, to: [1]),
            ])
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2))).isEmpty)
    }

    @Test func ownRecordsTravelAsFarAsIsSettled() throws {
        var fixture = try Fixture(timeToLive: 1)
        try fixture.connect(1, on: 1)
        let record = try fixture.record(by: 100)
        #expect(fixture.handle(.submitted(record)).contains(.forward(record, timeToLive: 1, hops: 1, to: [1])))
    }

    @Test func nothingIsTakenFromALinkThatIsNotConnected() throws {
        var fixture = try Fixture()
        _ = fixture.handle(.linkOpened(1, try fixture.opened(1)))
        let record = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2))).isEmpty)
    }

    @Test func aCopyThatComesAfterItsIdWasForgottenIsStillOld() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let first = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, first, RecordArrival(timeToLive: 5, hops: 2)))
        // Many speakers and both links, so that nobody says or brings too much.
        for number in 0..<UInt64(MeshLimit.seenMax) {
            let record = Record(
                kind: .chat, author: Fixture.peer(9 + UInt8(number % 16)),
                created: HybridTime(rawValue: 1_000_000 + number),
                lifetimeSeconds: 600, topic: [], body: [])
            var id = [UInt8](repeating: 5, count: 32)
            for byte in 0..<4 { id[byte] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(byte))) }
            let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: 64))
            let verified = VerifiedRecord(assumingVerified: signed, id: RecordID(try #require(Bytes32(id))))
            _ = fixture.handle(
                .heard(LinkID(rawValue: 1 + number % 2), verified, RecordArrival(timeToLive: 1, hops: 2)))
        }
        #expect(!fixture.mesh.broadcast.hasSeen(first.id))
        #expect(fixture.handle(.heard(2, first, RecordArrival(timeToLive: 5, hops: 2))).isEmpty)
    }

    @Test func anUnknownKindIsPassedOn() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let record = try fixture.record(by: 9, kind: RecordKind(rawValue: 999))
        let effects = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        #expect(effects.contains(.forward(record, timeToLive: 4, hops: 3, to: [2])))
    }
}
