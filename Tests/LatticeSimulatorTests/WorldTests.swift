import LatticeCore
import LatticeSimulator
import Testing

/// Whole meshes over hundreds of seeds.
@Suite struct WorldTests {
    /// Everybody starts and sights everybody within reach in the first two seconds, in an order drawn from the seed.
    private func plan(_ topology: Topology, seed: UInt64, isMutual: Bool = true) -> [Weather] {
        var generator = SeededGenerator(seed: seed ^ 0xABCD)
        var weather: [Weather] = []
        for peer in 0..<topology.count {
            weather.append(.start(peer, at: Int64.random(in: 0...500, using: &generator)))
        }
        let adjacency = Adjacency(topology, seed: seed)
        for left in 0..<topology.count {
            for right in 0..<left where adjacency.areAdjacent(left, right) {
                let time = Int64.random(in: 501...1_500, using: &generator)
                let isTurned = Bool.random(using: &generator)
                weather.append(.sight(isTurned ? left : right, isTurned ? right : left, isMutual: isMutual, at: time))
            }
        }
        return weather
    }

    @Test(arguments: [
        Topology.full(2), .full(5), .line(5), .ring(5), .grid(width: 2, height: 3), .islands(2, size: 3),
        .random(6, degree: 3),
    ])
    func everyLineArrivesAtEveryoneExactlyOnce(in topology: Topology) {
        for seed in UInt64(0)..<100 {
            var world = World(topology, seed: seed)
            let lines = (0..<topology.count).map { Weather.say($0, at: 8_000 + Int64($0) * 3) }
            world.plan(plan(topology, seed: seed, isMutual: seed % 2 == 0) + lines)
            world.run(until: 20_000)
            #expect(world.faults.isEmpty, "seed \(seed)")
            #expect(world.records.tracks.count == topology.count)
            for line in world.records.tracks.indices {
                for peer in 0..<topology.count {
                    #expect(world.wasShown(line, to: peer), "seed \(seed), peer \(peer)")
                }
            }
        }
    }

    @Test func exactlyOneLinkIsLeftPerPairHoweverBothStart() {
        for seed in UInt64(0)..<500 {
            var world = World(.full(2), seed: seed, network: NetworkConditions(latency: 1...200))
            world.plan(plan(.full(2), seed: seed, isMutual: seed % 3 != 0))
            // Each also sights the other again and again, as several interfaces would have it.
            world.plan((0..<5).map { .sight($0 % 2, 1 - $0 % 2, isMutual: true, at: 1_000 + Int64($0) * 137) })
            world.run(until: 30_000)
            #expect(world.openConnections(0, 1) == 1, "seed \(seed)")
            #expect(world.connectedCount(of: 0) == 1 && world.connectedCount(of: 1) == 1, "seed \(seed)")
        }
    }

    @Test func linesSaidBeforeAnybodyIsThereArrive() {
        for seed in UInt64(0)..<100 {
            var world = World(.line(3), seed: seed)
            world.plan([.start(0, at: 0)] + (0..<50).map { .say(0, at: 100 + $0) })
            world.plan([.start(2, at: 3_000), .start(1, at: 4_000)])
            world.plan([.sight(1, 2, isMutual: true, at: 4_500), .sight(0, 1, isMutual: true, at: 9_000)])
            world.run(until: 30_000)
            #expect(world.faults.isEmpty, "seed \(seed)")
            for line in world.records.tracks.indices {
                #expect((0..<3).allSatisfy { world.wasShown(line, to: $0) }, "seed \(seed)")
            }
            #expect(world.unconfirmedCount(of: 0) == 0)
        }
    }

    @Test func aRecordCostsAtMostTwoFramesALink() {
        for seed in UInt64(0)..<100 {
            var world = World(.full(5), seed: seed)
            world.plan(plan(.full(5), seed: seed) + [.say(0, at: 10_000)])
            world.run(until: 20_000)
            #expect(world.records.tracks.allSatisfy { $0.frames <= 2 * 10 }, "seed \(seed)")
        }
    }

    @Test func whatIsSaidWithTTLOneReachesNeighboursOnly() {
        for seed in UInt64(0)..<100 {
            var world = World(.line(4), seed: seed, settings: MeshSettings(timeToLive: 1))
            world.plan(plan(.line(4), seed: seed) + [.say(1, at: 10_000)])
            world.run(until: 20_000)
            #expect((0..<4).map { world.wasShown(0, to: $0) } == [true, true, true, false], "seed \(seed)")
        }
    }

    @Test func aPulledCableIsNoticedAndWhatWasSaidMeanwhileArrivesWhenItIsBack() {
        for seed in UInt64(0)..<100 {
            var world = World(.full(2), seed: seed)
            world.plan(plan(.full(2), seed: seed))
            world.plan([.cut(0, 1, at: 10_000), .say(0, at: 10_500), .say(1, at: 12_000), .mend(0, 1, at: 60_000)])
            world.run(until: 55_000)
            #expect(world.connectedCount(of: 0) == 0 && world.connectedCount(of: 1) == 0, "seed \(seed)")
            world.run(until: 200_000)
            #expect(world.faults.isEmpty)
            for line in world.records.tracks.indices {
                #expect((0..<2).allSatisfy { world.wasShown(line, to: $0) }, "seed \(seed)")
            }
        }
    }

    @Test func aKilledPeerThatComesBackIsLinkedAgainAndNobodyStormsMeanwhile() {
        for seed in UInt64(0)..<100 {
            var world = World(.full(3), seed: seed)
            world.plan(plan(.full(3), seed: seed))
            world.plan([.crash(0, at: 10_000), .start(0, at: 130_000)])
            world.plan([.sight(0, 1, isMutual: true, at: 130_500), .sight(0, 2, isMutual: true, at: 130_600)])
            world.run(until: 10_000)
            let dialsBefore = world.dials
            world.run(until: 130_000)
            // Two peers redial for two minutes: half a second doubling to a minute is at most 12 tries each.
            #expect(world.dials - dialsBefore <= 24, "seed \(seed)")
            world.run(until: 150_000)
            #expect((0..<3).allSatisfy { world.connectedCount(of: $0) == 2 }, "seed \(seed)")
        }
    }
}
