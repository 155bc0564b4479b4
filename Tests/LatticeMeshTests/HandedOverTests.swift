import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// A record that waits in the outbox on disk is reported as handed over once a neighbour has it.
@Suite struct HandedOverTests {
    @Test func aConfirmedPostIsTold() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let post = try fixture.record(by: 100, kind: .post)
        _ = fixture.handle(.submitted(post))
        #expect(fixture.mesh.broadcast.outbox.count == 1)
        #expect(fixture.mesh.broadcast.outbox.linesCount == 0)
        let ping = try #require(fixture.handle(.flushWanted).pings.first)
        #expect(fixture.handle(.received(1, .pong(nonce: ping.nonce))) == [.confirmed([post.id])])
        #expect(fixture.mesh.broadcast.outbox.count == 0)
    }

    @Test func aConfirmedLineIsNot() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        #expect(fixture.mesh.broadcast.outbox.linesCount == 1)
        let ping = try #require(fixture.handle(.flushWanted).pings.first)
        #expect(fixture.handle(.received(1, .pong(nonce: ping.nonce))).isEmpty)
        #expect(fixture.mesh.broadcast.outbox.linesCount == 0)
    }

    @Test func roomIsToldBeforeItIsNeeded() throws {
        var fixture = try Fixture()
        #expect(fixture.mesh.hasOutboxRoom(bytes: 1_000))
        for _ in 0..<MeshLimit.outboxWaitingMax { _ = fixture.handle(.submitted(try fixture.record(by: 100))) }
        #expect(!fixture.mesh.hasOutboxRoom(bytes: 1_000))
        try fixture.connect(1, on: 1)
        #expect(fixture.mesh.hasOutboxRoom(bytes: 1_000))
    }
}
