import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@Suite struct OutboxTests {
    @Test func whatWasSaidToNobodyGoesOutWhenSomebodyComes() throws {
        var fixture = try Fixture()
        let records = [try fixture.record(by: 100), try fixture.record(by: 100)]
        for record in records { #expect(fixture.handle(.submitted(record)) == [.deliver(record, hops: 0)]) }
        #expect(fixture.mesh.broadcast.outbox.waitingCount == 2)
        #expect(try fixture.connect(1, on: 1).forwarded.map(\.record) == records.map(\.id))
        #expect(fixture.mesh.broadcast.outbox.waitingCount == 0)
    }

    @Test func aThousandLinesAreKeptAndTheNextIsRefused() throws {
        var fixture = try Fixture()
        for _ in 0..<MeshLimit.outboxWaitingMax { _ = fixture.handle(.submitted(try fixture.record(by: 100))) }
        let record = try fixture.record(by: 100)
        #expect(fixture.handle(.submitted(record)) == [.outboxFull(record.id)])
        #expect(!fixture.mesh.broadcast.hasSeen(record.id))
    }

    /// They are in the store, and reach peers that reconcile with it.
    @Test func withAStoreNoLineIsRefused() throws {
        var fixture = try Fixture()
        _ = fixture.handle(.keepingChanged(.everything))
        for _ in 0..<MeshLimit.outboxWaitingMax { _ = fixture.handle(.submitted(try fixture.record(by: 100))) }
        let record = try fixture.record(by: 100)
        #expect(fixture.handle(.submitted(record)) == [.deliver(record, hops: 0)])
        #expect(fixture.mesh.broadcast.outbox.waitingCount == MeshLimit.outboxWaitingMax)
    }

    @Test func aPongConfirmsWhatWasSentBeforeItsPing() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        let ping = try #require(fixture.handle(.flushWanted).pings.first)
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        #expect(fixture.mesh.broadcast.outbox.count == 2)
        _ = fixture.handle(.received(1, .pong(nonce: ping.nonce)))
        #expect(fixture.mesh.broadcast.outbox.count == 1)
    }

    @Test func anotherNonceConfirmsNothing() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        let ping = try #require(fixture.handle(.flushWanted).pings.first)
        _ = fixture.handle(.received(1, .pong(nonce: ping.nonce &+ 1)))
        #expect(fixture.mesh.broadcast.outbox.count == 1)
    }

    @Test func whatDiedWithALinkGoesOutOnTheNext() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let record = try fixture.record(by: 100)
        _ = fixture.handle(.submitted(record))
        _ = fixture.handle(.linkClosed(1, .broken("reset")))
        #expect(try fixture.connect(1, on: 2, instance: 2).forwarded.map(\.record) == [record.id])
    }

    @Test func confirmedLinesAreNotSentAgain() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        let ping = try #require(fixture.handle(.flushWanted).pings.first)
        _ = fixture.handle(.received(1, .pong(nonce: ping.nonce)))
        _ = fixture.handle(.linkClosed(1, .broken("reset")))
        #expect(try fixture.connect(1, on: 2, instance: 2).forwarded.isEmpty)
    }

    @Test func aNewLinkIsSentNoMoreThanItsQueueHolds() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let line = [UInt8](repeating: 1, count: 4_096)
        for _ in 0..<2_000 { _ = fixture.handle(.submitted(try fixture.record(by: 100, body: line))) }
        #expect(fixture.mesh.isPaced(at: fixture.now))
        let late = try fixture.record(by: 100, body: line)
        #expect(fixture.handle(.submitted(late)) == [.outboxFull(late.id)])
        _ = fixture.handle(.linkClosed(1, .broken("reset")))
        let effects = try fixture.connect(1, on: 2, instance: 2)
        let bytes = effects.reduce(0) { sum, effect in
            if case .forward(let record, _, _, _, _, _) = effect { sum + record.signed.bytes.count } else { sum }
        }
        #expect(bytes <= MeshLimit.outboxBytesMax && bytes > MeshLimit.outboxBytesMax - 8_192)
    }

    @Test func waitingLinesAreRefusedBeyondTheirBytesToo() throws {
        var fixture = try Fixture()
        let line = [UInt8](repeating: 1, count: 50_000)
        var kept = 0
        while case .deliver? = fixture.handle(.submitted(try fixture.record(by: 100, body: line))).first { kept += 1 }
        #expect(kept == MeshLimit.outboxBytesMax / 50_130 || kept == MeshLimit.outboxBytesMax / 50_120)
        #expect(fixture.mesh.broadcast.outbox.waitingCount == kept)
    }

    @Test func nothingUnconfirmedGivesWay() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        for _ in 0..<MeshLimit.outboxSentMax { _ = fixture.handle(.submitted(try fixture.record(by: 100))) }
        let late = try fixture.record(by: 100)
        #expect(fixture.handle(.submitted(late)) == [.outboxFull(late.id)])
        #expect(fixture.mesh.broadcast.outbox.count == MeshLimit.outboxSentMax)
    }

    @Test func aNeighbourIsAskedToConfirmWithinASecond() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        #expect(fixture.handle(.woke, after: .seconds(1)).pings.map(\.link) == [1])
    }

    @Test func aNeighbourThatDoesNotAnswerIsPassedOver() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        for link in [LinkID(rawValue: 1), 2] {
            #expect(fixture.handle(.woke, after: MeshLimit.confirmInterval).pings.map(\.link) == [link])
        }
    }
}
