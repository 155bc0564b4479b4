import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

@Suite struct ProbeTests {
    static func stop(_ rank: UInt8, _ name: String? = nil) throws -> Probe.Stop {
        Probe.Stop(
            peer: Fixture.peer(rank), name: try PeerName(name ?? "p\(rank)"),
            signature: [UInt8](repeating: 0, count: Record.signatureBytes))
    }

    /// A question by way of peers of these ranks.
    static func probe(
        _ nonce: UInt64 = 5, _ direction: Probe.Direction = .there, from: UInt8 = 100, to: UInt8,
        timeToLive: UInt8 = 32,
        by ranks: [UInt8] = []
    ) throws -> Probe {
        Probe(
            direction: direction, nonce: nonce, from: Fixture.peer(from), to: Fixture.peer(to), timeToLive: timeToLive,
            path: try ranks.map { try stop($0) })
    }

    /// One that is linked with the peers of ranks 1 to 3, each on the link of its number.
    private func linked() throws -> Fixture {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    @Test func aProbeGoesToItsTargetsOwnLink() throws {
        var fixture = try linked()
        let effects = fixture.handle(.probeWanted(Fixture.peer(2), nonce: 5))
        #expect(effects == [.endorse(try Self.probe(to: 2), to: [2])])
    }

    @Test func aProbeGoesByTheLinkThatItsTargetWasHeardOnFirst() throws {
        var fixture = try linked()
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(2, record, RecordArrival(timeToLive: 5, hops: 2)))
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        let effects = fixture.handle(.probeWanted(Fixture.peer(9), nonce: 5))
        #expect(effects == [.endorse(try Self.probe(to: 9), to: [2])])
    }

    @Test func aProbeForSomebodyNobodyKnowsGoesToAllNeighboursAndNotFar() throws {
        var fixture = try linked()
        let effects = fixture.handle(.probeWanted(Fixture.peer(9), nonce: 5))
        #expect(effects == [.endorse(try Self.probe(to: 9, timeToLive: 16), to: [1, 2, 3])])
    }

    @Test func aWayThatIsOldOrWhoseLinkIsGoneIsNotGone() throws {
        for isLost in [false, true] {
            var fixture = try linked()
            _ = fixture.handle(.heard(2, try fixture.record(by: 9), RecordArrival(timeToLive: 1, hops: 2)))
            if isLost {
                _ = fixture.handle(.linkClosed(2, .broken("")))
            } else {
                fixture.now = fixture.now.advanced(by: MeshLimit.routeLifetime)
            }
            let effects = fixture.handle(.probeWanted(Fixture.peer(9), nonce: 5))
            let flood = try Self.probe(to: 9, timeToLive: 16)
            #expect(effects.first == .endorse(flood, to: isLost ? [1, 3] : [1, 2, 3]))
        }
    }

    @Test func aProbeForUsIsTurnedRound() throws {
        var fixture = try linked()
        let probe = try Self.probe(from: 9, to: 100, timeToLive: 30, by: [9, 8, 1])
        let answer = try Self.probe(5, .back, from: 9, to: 100, by: [9, 8, 1])
        #expect(fixture.handle(.received(1, .probe(probe))) == [.endorse(answer, to: [1])])
        // From then on the neighbour that it came by is known.
        for rank in [UInt8(9), 8] {
            let effects = fixture.handle(.probeWanted(Fixture.peer(rank), nonce: UInt64(rank)))
            #expect(effects == [.endorse(try Self.probe(UInt64(rank), to: rank), to: [1])])
        }
    }

    @Test func aProbeIsAnsweredOnceHoweverManyWaysItComes() throws {
        var fixture = try linked()
        #expect(fixture.handle(.received(1, .probe(try Self.probe(from: 9, to: 100, by: [9, 1])))).count == 1)
        #expect(fixture.handle(.received(2, .probe(try Self.probe(from: 9, to: 100, by: [9, 2])))).isEmpty)
    }

    @Test func anAnswerTellsTheWayAndTheTime() throws {
        var fixture = try linked()
        _ = fixture.handle(.probeWanted(Fixture.peer(9), nonce: 5))
        let answer = try Self.probe(5, .back, to: 9, by: [100, 2, 8, 9])
        let effects = fixture.handle(.received(2, .probe(answer)), after: .milliseconds(12))
        #expect(effects == [.probed(nonce: 5, .answered(roundTrip: .milliseconds(12), path: answer.path))])
        #expect(fixture.handle(.received(2, .probe(answer))).isEmpty)
        for (nonce, rank) in [(UInt64(6), UInt8(9)), (7, 8)] {
            _ = fixture.handle(.heard(1, try fixture.record(by: rank), RecordArrival(timeToLive: 1, hops: 2)))
            let again = fixture.handle(.probeWanted(Fixture.peer(rank), nonce: nonce))
            #expect(again == [.endorse(try Self.probe(nonce, to: rank), to: [2])], "what answered is asked again")
        }
    }

    @Test func anAnswerCountsFromTheFirstNeighbourInItsPathOnly() throws {
        var fixture = try linked()
        _ = fixture.handle(.probeWanted(Fixture.peer(9), nonce: 5))
        let answer = Frame.probe(try Self.probe(5, .back, to: 9, by: [100, 2, 9]))
        #expect(fixture.handle(.received(1, answer)).isEmpty)
        #expect(fixture.handle(.received(2, answer)).count == 1)
    }

    @Test func withoutALinkThereIsNoProbe() throws {
        var fixture = try Fixture()
        #expect(fixture.handle(.probeWanted(Fixture.peer(9), nonce: 5)) == [.probed(nonce: 5, .noRoute)])
        try fixture.connect(1, on: 1)
        #expect(fixture.handle(.probeWanted(fixture.me, nonce: 6)) == [.probed(nonce: 6, .noRoute)])
    }

    @Test func anUnansweredProbeEndsAfterFiveSecondsAndItsWayIsDoubted() throws {
        var fixture = try linked()
        _ = fixture.handle(.heard(2, try fixture.record(by: 9), RecordArrival(timeToLive: 1, hops: 2)))
        _ = fixture.handle(.probeWanted(Fixture.peer(9), nonce: 5))
        #expect(fixture.handle(.woke, after: .seconds(5)).contains(.probed(nonce: 5, .timedOut)))
        _ = fixture.handle(.heard(2, try fixture.record(by: 9), RecordArrival(timeToLive: 1, hops: 2)))
        let effects = fixture.handle(.probeWanted(Fixture.peer(9), nonce: 6))
        #expect(effects == [.endorse(try Self.probe(6, to: 9, timeToLive: 16), to: [1, 2, 3])])
    }

    @Test func aFalseAnswerIsCountedAndToldWhenNoTrueOneCame() throws {
        var fixture = try linked()
        for nonce in UInt64(5)...6 { _ = fixture.handle(.probeWanted(Fixture.peer(9), nonce: nonce)) }
        let forged = try Self.probe(5, .back, to: 9, by: [100, 1, 9])
        #expect(fixture.handle(.probeForged(forged)).isEmpty)
        #expect(fixture.handle(.probeForged(try Self.probe(6, from: 7, to: 100, by: [7, 1]))).isEmpty)
        #expect(fixture.mesh.dissemination.routing.forgedCount == 2)
        let outcomes = fixture.handle(.woke, after: .seconds(5)).filter { if case .probed = $0 { true } else { false } }
        #expect(outcomes == [.probed(nonce: 5, .forged), .probed(nonce: 6, .timedOut)])
    }

    @Test func aTrueAnswerCountsThoughAFalseOneCameFirst() throws {
        var fixture = try linked()
        _ = fixture.handle(.probeWanted(Fixture.peer(9), nonce: 5))
        _ = fixture.handle(.probeForged(try Self.probe(5, .back, to: 9, by: [100, 1, 9])))
        let answer = try Self.probe(5, .back, to: 9, by: [100, 2, 9])
        let effects = fixture.handle(.received(2, .probe(answer)))
        #expect(effects == [.probed(nonce: 5, .answered(roundTrip: .zero, path: answer.path))])
    }
}
