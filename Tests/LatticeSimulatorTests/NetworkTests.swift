import LatticeSimulator
import Testing

/// The network of a world: who reaches whom, and how long that takes.
@Suite struct NetworkTests {
    @Test func latencyIsFixedForAPairAndDrawnFromTheWholeRange() {
        let conditions = NetworkConditions(latency: 10...50)
        var seen: Set<Int64> = []
        for left in 0..<40 {
            for right in 0..<40 where left != right {
                let latency = conditions.latency(left, right, seed: 7)
                #expect((10...50).contains(latency))
                #expect(latency == conditions.latency(right, left, seed: 7))
                seen.insert(latency)
            }
        }
        #expect(seen == Set(10...50))
        #expect(conditions.latency(3, 4, seed: 7) != conditions.latency(3, 4, seed: 8))
    }

    @Test(arguments: [
        Topology.line(6), .ring(6), .grid(width: 3, height: 4), .random(20, degree: 4), .islands(3, size: 4), .full(5),
    ])
    func adjacencyIsMutualAndListsEveryNeighbourOnce(topology: Topology) {
        let adjacency = Adjacency(topology, seed: 3)
        for peer in 0..<topology.count {
            let neighbours = adjacency.neighbours(of: peer)
            #expect(Set(neighbours).count == neighbours.count)
            #expect(neighbours == (0..<topology.count).filter { adjacency.areAdjacent(peer, $0) })
            for other in neighbours { #expect(adjacency.areAdjacent(other, peer)) }
            #expect(!adjacency.areAdjacent(peer, peer))
        }
    }

    @Test func islandsAreJoinedByOneBridgePeerEach() {
        let adjacency = Adjacency(.islands(3, size: 4), seed: 0)
        #expect(adjacency.neighbours(of: 0) == [1, 2, 3])
        #expect(adjacency.neighbours(of: 3) == [0, 1, 2, 4, 5, 6, 7])
        #expect(adjacency.neighbours(of: 4) == [3, 5, 6, 7])
        #expect(adjacency.neighbours(of: 11) == [7, 8, 9, 10])
    }

    @Test func aRandomTopologyHangsTogetherAndHasTheWantedDegree() {
        for seed in UInt64(0)..<20 {
            let adjacency = Adjacency(.random(50, degree: 4), seed: seed)
            #expect((0..<50).reduce(0) { $0 + adjacency.degree(of: $1) } == 50 * 4)
            var reached: Set = [0]
            var waiting = [0]
            while let peer = waiting.popLast() {
                for other in adjacency.neighbours(of: peer) where reached.insert(other).inserted {
                    waiting.append(other)
                }
            }
            #expect(reached.count == 50, "seed \(seed)")
        }
    }

    @Test func nothingPassesAPartitionAndEverythingDoesWhenItHeals() {
        for seed in UInt64(0)..<20 {
            var world = Plan.calm(.full(4), seed: seed).world
            world.plan([.partition([[0, 1], [2, 3]], at: 12_000), .say(0, at: 50_000), .say(2, at: 50_000)])
            world.plan([.heal(at: 60_000), .say(1, at: 190_000)])
            world.run(until: 59_000)
            #expect((0..<4).map { world.wasShown(4, to: $0) } == [true, true, false, false], "seed \(seed)")
            #expect((0..<4).map { world.wasShown(5, to: $0) } == [false, false, true, true], "seed \(seed)")
            #expect(world.connectedCount(of: 0) == 1 && world.connectedCount(of: 3) == 1, "seed \(seed)")
            world.run(until: 195_000)
            #expect((0..<4).allSatisfy { world.wasShown(6, to: $0) }, "seed \(seed)")
            #expect(world.faults == [])
        }
    }

    @Test func whatIsSentIntoAShortCutArrivesWhenItIsMended() {
        var world = Plan.calm(.full(2), seed: 1).world
        world.plan([.cut(0, 1, at: 12_000), .say(0, at: 12_500), .mend(0, 1, at: 14_000)])
        world.run(until: 13_999)
        #expect(!world.wasShown(2, to: 1))
        world.run(until: 14_200)
        #expect(world.wasShown(2, to: 1))
        #expect(world.openConnections(0, 1) == 1)
    }

    @Test func aRestartWithItsDiskShowsNothingTwiceAndOneWithoutShowsItAgain() {
        for withDisk in [true, false] {
            // The one that never hears its own line's echo is the author; the third repeats what it knows.
            var plan = Plan.calm(.full(5), seed: 2)
            plan.weather += [.hostile(4, .repeatsOldRecords, at: 15_000), .crash(1, at: 20_000)]
            plan.weather += [.restart(1, withDisk: withDisk, at: 25_000), .discover(1, at: 25_000)]
            plan.linesSince = 60_000
            plan.end = 60_000
            var trial = Trial(plan)
            var lines: [String] = []
            #expect(trial.faults { lines += $0 } == [])
            let shown = lines.filter { $0.contains("peer 1 is shown r0,") }
            #expect(shown.count == (withDisk ? 1 : 2))
        }
    }

    @Test func lossBefallsRecordsAndSparesTheLinks() {
        var plan = Plan.calm(.full(5), seed: 4)
        plan.network.lossPerMille = 1_000
        var world = plan.world
        world.run(until: 60_000)
        #expect((0..<5).allSatisfy { world.connectedCount(of: $0) == 4 })
        #expect((1..<5).allSatisfy { !world.wasShown(0, to: $0) })
    }
}
