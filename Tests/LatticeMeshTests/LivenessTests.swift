import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@Suite struct LivenessTests {
    @Test func aSilentNeighbourIsPingedAfterFiveSeconds() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        #expect(fixture.handle(.woke, after: .milliseconds(4_999)).pings.isEmpty)
        #expect(fixture.handle(.woke, after: .milliseconds(1)).pings.map(\.link) == [1])
    }

    @Test func oneThatDoesNotAnswerIsDeadTenSecondsLater() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.woke, after: .seconds(5))
        #expect(fixture.handle(.woke, after: .milliseconds(9_999)).closed.isEmpty)
        let effects = fixture.handle(.woke, after: .milliseconds(1))
        let name = try PeerName("p1")
        #expect(effects.contains(.stateChanged(Fixture.peer(1), name, .notConnected, .silent)))
        #expect(fixture.mesh.register.neighbourCount == 0)
    }

    @Test func anAnswerKeepsItAlive() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        for _ in 0..<20 {
            let ping = try #require(fixture.handle(.woke, after: .seconds(5)).pings.first)
            _ = fixture.handle(.received(1, .pong(nonce: ping.nonce)))
        }
        #expect(fixture.mesh.register.neighbourCount == 1)
    }

    @Test func oneThatTalksButNeverAnswersIsDeadAfterHalfAMinute() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.woke, after: .seconds(5))
        for _ in 0..<29 {
            _ = fixture.handle(.received(1, .pong(nonce: 0)), after: .seconds(1))
            #expect(fixture.mesh.register.neighbourCount == 1)
        }
        _ = fixture.handle(.received(1, .pong(nonce: 0)), after: .seconds(1))
        #expect(fixture.mesh.register.neighbourCount == 0)
    }

    @Test func aRoundTripIsMeasuredWhenItIsWanted() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        try fixture.connect(2, on: 2)
        #expect(fixture.mesh.roundTrip(on: 1) == nil)
        let pings = fixture.handle(.roundTripsWanted).pings
        #expect(pings.map(\.link) == [1, 2])
        // Those that are asked already are not asked again.
        #expect(fixture.handle(.roundTripsWanted, after: .milliseconds(7)).isEmpty)
        _ = fixture.handle(.received(1, .pong(nonce: pings[0].nonce)), after: .milliseconds(5))
        let measured = try #require(fixture.mesh.roundTrip(on: 1))
        #expect(measured.0 == Fixture.peer(1) && measured.1 == .milliseconds(12))
        #expect(fixture.mesh.roundTrip(on: 2) == nil && fixture.mesh.roundTrip(on: 3) == nil)
    }

    @Test func whoHasLeftLinksWithNobody() throws {
        var fixture = try Fixture(rank: 10)
        _ = fixture.handle(.leaving)
        #expect(fixture.handle(.sighted(Fixture.sighting(20))).isEmpty)
        let goodbye = Goodbye(.leaving, "they left")
        #expect(fixture.handle(.linkOpened(1, try fixture.opened(20))) == [.close(1, goodbye)])
        #expect(fixture.handle(.received(1, .invitation(try fixture.invitation()))).isEmpty)
        #expect(fixture.handle(.woke, after: .seconds(600)).isEmpty)
    }

    @Test func aPingIsAnswered() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        #expect(fixture.handle(.received(1, .ping(nonce: 7))) == [.send(.pong(nonce: 7), to: 1)])
    }

    @Test func framesOutOfTurnEndTheLink() throws {
        for frame in [
            Frame.accept(room: 0), .refuse(.declined), .invitation(Invitation(mesh: try MeshName("test"), context: [])),
        ] {
            var fixture = try Fixture()
            try fixture.connect(1, on: 1)
            let effects = fixture.handle(.received(1, frame))
            #expect(
                effects.contains {
                    if case .close(1, let goodbye) = $0 { goodbye.code == .protocolFault } else { false }
                })
        }
    }

    @Test func leavingSaysGoodbyeToEverybody() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        let goodbye = Goodbye(.leaving, "they left")
        #expect(fixture.handle(.leaving) == [.close(1, goodbye), .close(2, goodbye), .close(3, goodbye)])
    }
}
