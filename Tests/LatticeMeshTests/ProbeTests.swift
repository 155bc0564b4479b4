import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@Suite struct ProbeTests {
    private func stop(_ rank: UInt8, _ name: String) throws -> Probe.Stop {
        Probe.Stop(
            peer: Fixture.peer(rank), name: try PeerName(name), signature: [UInt8](repeating: 0, count: 64))
    }

    @Test func aProbeGoesToTheNeighbourTowardsItsTarget() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        let carol = Presence(isHere: true, name: try PeerName("carol"), rooms: [])
        let record = try fixture.record(by: 9, kind: .presence, body: carol.body)
        _ = fixture.handle(.heard(1, record, timeToLive: 5, hops: 2))
        let effects = fixture.handle(.probeWanted(Fixture.peer(9), nonce: 5))
        let probe = Probe(
            direction: .there, nonce: 5, from: fixture.me, to: Fixture.peer(9), timeToLive: 32,
            path: [try stop(100, "me")])
        #expect(effects == [.send(.probe(probe), to: 1)])
    }

    @Test func aProbeForUsIsTurnedRound() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        var probe = Probe(
            direction: .there, nonce: 5, from: Fixture.peer(9), to: fixture.me, timeToLive: 30,
            path: [try stop(9, "carol"), try stop(1, "p1")])
        let effects = fixture.handle(.received(1, .probe(probe)))
        probe.direction = .back
        probe.timeToLive = 32
        probe.path.append(try stop(100, "me"))
        #expect(effects == [.send(.probe(probe), to: 1)])
    }

    @Test func anAnswerTellsTheWayAndTheTime() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.probeWanted(Fixture.peer(1), nonce: 5))
        let path = [try stop(100, "me"), try stop(1, "p1")]
        let answer = Probe(
            direction: .back, nonce: 5, from: fixture.me, to: Fixture.peer(1), timeToLive: 32, path: path)
        let effects = fixture.handle(.received(1, .probe(answer)), after: .milliseconds(12))
        #expect(effects == [.probed(nonce: 5, .answered(roundTrip: .milliseconds(12), path: path))])
    }

    @Test func withoutAWayThereIsNoProbe() throws {
        var fixture = try Fixture()
        #expect(fixture.handle(.probeWanted(Fixture.peer(9), nonce: 5)) == [.probed(nonce: 5, .noRoute)])
    }

    @Test func anUnansweredProbeEndsAfterFiveSeconds() throws {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        _ = fixture.handle(.probeWanted(Fixture.peer(1), nonce: 5))
        #expect(fixture.handle(.woke, after: .seconds(5)).contains(.probed(nonce: 5, .timedOut)))
    }

    @Test func aProbeThatHasBeenHereIsDropped() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        let probe = Probe(
            direction: .there, nonce: 5, from: Fixture.peer(1), to: Fixture.peer(2), timeToLive: 30,
            path: [try stop(1, "p1"), try stop(100, "me")])
        #expect(fixture.handle(.received(1, .probe(probe))).isEmpty)
    }

    @Test func probesThatAreNotOursDieWithTheirTTLAndAreRationed() throws {
        var fixture = try Fixture()
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        func probe(_ nonce: UInt64, timeToLive: UInt8) throws -> Probe {
            Probe(
                direction: .there, nonce: nonce, from: Fixture.peer(1), to: Fixture.peer(2), timeToLive: timeToLive,
                path: [try stop(1, "p1")])
        }
        #expect(fixture.handle(.received(1, .probe(try probe(0, timeToLive: 1)))).isEmpty)
        var passed = 0
        for nonce in UInt64(1)...100 {
            passed += fixture.handle(.received(1, .probe(try probe(nonce, timeToLive: 9)))).count
        }
        #expect(passed == MeshLimit.probesPerLinkMax - 1)
    }
}
