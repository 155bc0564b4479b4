import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Probes of others on their way through.
@Suite struct ProbeRelayTests {
    private func probe(
        _ nonce: UInt64 = 5, _ direction: Probe.Direction = .there, from: UInt8 = 9, to: UInt8 = 8,
        timeToLive: UInt8 = 30,
        by ranks: [UInt8] = [9, 1]
    ) throws -> Probe {
        try ProbeTests.probe(nonce, direction, from: from, to: to, timeToLive: timeToLive, by: ranks)
    }

    /// One that is linked with the peers of ranks 1 to 3, each on the link of its number.
    private func linked() throws -> Fixture {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    @Test func itGoesOnByTheRoute() throws {
        var fixture = try linked()
        _ = fixture.handle(.heard(3, try fixture.record(by: 8), RecordArrival(timeToLive: 1, hops: 2)))
        let effects = fixture.handle(.received(1, .probe(try probe())))
        #expect(effects == [.endorse(try probe(timeToLive: 29), to: [3])])
    }

    @Test func whereNoWayIsKnownItGoesToEverybodyItHasNotComeBy() throws {
        var fixture = try linked()
        let effects = fixture.handle(.received(1, .probe(try probe(by: [9, 3, 1]))))
        #expect(effects == [.endorse(try probe(timeToLive: 16, by: [9, 3, 1]), to: [2])])
    }

    @Test func whereARouteLeadsBackItGoesToEverybodyElse() throws {
        var fixture = try linked()
        _ = fixture.handle(.heard(1, try fixture.record(by: 8), RecordArrival(timeToLive: 1, hops: 2)))
        let effects = fixture.handle(.received(1, .probe(try probe(timeToLive: 5))))
        #expect(effects == [.endorse(try probe(timeToLive: 4), to: [2, 3])])
    }

    @Test func itPassesOnceHoweverManyWaysItComes() throws {
        var fixture = try linked()
        #expect(fixture.handle(.received(1, .probe(try probe()))).count == 1)
        #expect(fixture.handle(.received(1, .probe(try probe()))).isEmpty)
        #expect(fixture.handle(.received(2, .probe(try probe(by: [9, 2])))).isEmpty)
        #expect(fixture.handle(.received(2, .probe(try probe(6, by: [9, 2])))).count == 1)
        #expect(fixture.handle(.received(2, .probe(try probe(5, from: 7, by: [7, 2])))).count == 1)
    }

    @Test(arguments: [[], [9], [9, 2], [1], [9, 100, 1], [9] + Array(101...162) + [1]] as [[UInt8]])
    func itIsDroppedUnlessItsOriginCameFirstAndItsGiverLastAndWeNot(ranks: [UInt8]) throws {
        var fixture = try linked()
        #expect(fixture.handle(.received(1, .probe(try probe(by: ranks)))).isEmpty)
    }

    @Test func itDiesWithItsTTL() throws {
        var fixture = try linked()
        #expect(fixture.handle(.received(1, .probe(try probe(to: 2, timeToLive: 1)))).isEmpty)
        let effects = fixture.handle(.received(3, .probe(try probe(to: 2, timeToLive: 2, by: [9, 3]))))
        #expect(
            effects == [.endorse(try probe(to: 2, timeToLive: 1, by: [9, 3]), to: [2])], "a shorter way still counts")
    }

    @Test func aLinkMayHaveSoManyPassedOnAtOnceAndFewerToEverybody() throws {
        for (target, countMax) in [
            (UInt8(2), MeshLimit.probesPerLinkMax), (8, MeshLimit.probeFloodsPerLinkMax),
        ] {
            var fixture = try linked()
            var passed = 0
            for nonce in UInt64(1)...100 {
                passed += fixture.handle(.received(1, .probe(try probe(nonce, to: target)))).count
            }
            #expect(passed == countMax)
            let other = try probe(101, to: target, by: [9, 3])
            #expect(fixture.handle(.received(3, .probe(other))).count == 1, "a neighbour's share is its own")
            let later = try probe(102, to: target)
            let effects = fixture.handle(.received(1, .probe(later)), after: .seconds(1))
            #expect(effects.contains { if case .endorse = $0 { true } else { false } }, "it comes back with time")
        }
    }

    @Test func anAnswerGoesBackTheWayTheQuestionCame() throws {
        var fixture = try linked()
        let answer = try probe(5, .back, timeToLive: 32, by: [9, 1, 100, 2, 8])
        #expect(fixture.handle(.received(2, .probe(answer))).isEmpty, "nobody asked by us")
        _ = fixture.handle(.received(1, .probe(try probe())))
        #expect(fixture.handle(.received(3, .probe(answer))).isEmpty, "it was not sent that way")
        let back = try probe(5, .back, timeToLive: 31, by: [9, 1, 100, 2, 8])
        #expect(fixture.handle(.received(2, .probe(answer))) == [.send(.probe(back), to: 1)])
    }
}
