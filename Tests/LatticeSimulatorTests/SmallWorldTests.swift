import LatticeCore
import Testing

@testable import LatticeSimulator

/// Meshes with far fewer places than peers, over hundreds of seeds: everybody finds links, keeps them, and hears everybody.
@Suite struct SmallWorldTests {
    private static let places = 5

    /// Peers that start within five seconds; each is given the address of the first and knows nobody else.
    private func world(of count: Int, seed: UInt64, isPresenceOn: Bool) -> World {
        var settings = MeshSettings()
        settings.activeMax = Self.places
        var world = World(.full(count), seed: seed, settings: settings, isPresenceOn: isPresenceOn)
        var generator = SeededGenerator(seed: seed ^ 0x736D_616C)
        world.plan([.start(0, at: 0)])
        for peer in 1..<count {
            let time = Int64.random(in: 1...5_000, using: &generator)
            world.plan([.start(peer, at: time), .give(peer, 0, at: time)])
        }
        return world
    }

    private func shuffled(_ peers: Range<Int>, seed: UInt64) -> [Int] {
        var generator = SeededGenerator(seed: seed ^ 0x6C6F_7473)
        return peers.shuffled(using: &generator)
    }

    /// The first three of these peers say a line each from this time on.
    private func lines(of peers: [Int], at time: Int64) -> [Weather] {
        peers.prefix(3).enumerated().map { .say($0.element, at: time + Int64($0.offset) * 100) }
    }

    /// Everybody hangs together by links that both ends believe in, has the links that it wants but for one, and was shown
    /// every line since a time; nobody was shown one twice.
    private func judge(_ world: inout World, _ peers: [Int], linesSince: Int64) {
        var found = LivenessJudge.faults(of: world, linesSince: linesSince)
        if !found.isEmpty || !areLinkedEnough(peers, in: world) {
            // Only what remains after every handshake has ended and every peer with free slots has searched again is a fault.
            world.run(until: world.milliseconds + 30_000)
            let still = Set(LivenessJudge.faults(of: world, linesSince: linesSince).map(\.matter))
            found.removeAll { !still.contains($0.matter) }
        }
        let faults = world.faults + found
        #expect(faults == [], "seed \(world.seed)")
        let areEnough = areLinkedEnough(peers, in: world)
        #expect(areEnough, "seed \(world.seed): \(peers.map { world.connectedCount(of: $0) })")
    }

    private func areLinkedEnough(_ peers: [Int], in world: World) -> Bool {
        // While an offer stands there is one link more than places; who was given up and found nobody else is kept beside them.
        let counts = peers.map { world.connectedCount(of: $0) }
        return counts.allSatisfy { $0 >= Self.places - 1 } && counts.count { $0 > Self.places + 1 } <= 2
    }

    @Test(arguments: [0..<10, 10..<20 as Range<UInt64>])
    func sixtyPeersFindTheirLinksByOneContactAndAgainWhenThreeInTenAreKilledAtOnce(seeds: Range<UInt64>) {
        for seed in seeds {
            var world = world(of: 60, seed: seed, isPresenceOn: false)
            let everybody = shuffled(0..<60, seed: seed)
            world.plan(lines(of: everybody, at: 45_000))
            world.run(until: 47_000)
            judge(&world, everybody, linesSince: 45_000)
            let survivors = Array(everybody.dropLast(18))
            let start = world.milliseconds + 1
            world.plan(everybody.suffix(18).map { .crash($0, at: start) })
            world.plan(lines(of: survivors, at: start + 30_000))
            world.run(until: start + 32_000)
            judge(&world, survivors, linesSince: start + 30_000)
        }
    }

    /// Presences show who is here, and so that a sighted peer is in another part of the mesh.
    /// Everybody hears everybody's, so fewer peers keep this short.
    @Test(arguments: [0..<10, 10..<20 as Range<UInt64>])
    func twoHalvesThatWerePartedAreOneMeshAgain(seeds: Range<UInt64>) {
        for seed in seeds {
            var world = world(of: 24, seed: seed, isPresenceOn: true)
            let everybody = shuffled(0..<24, seed: seed)
            let halves = [Array(everybody.prefix(12)), Array(everybody.dropFirst(12))]
            world.plan([.partition(halves, at: 25_000), .heal(at: 65_000)])
            for half in halves { world.plan(lines(of: half, at: 60_000)) }
            world.plan(lines(of: everybody, at: 125_000))
            world.run(until: 64_999)
            for line in world.records.tracks.indices {
                // Nothing passes a partition, and everybody on the speaker's side is reached.
                let isFirst = halves[0].contains(world.records.tracks[line].author)
                let shown = Set(everybody.filter { world.wasShown(line, to: $0) })
                #expect(shown == Set(halves[isFirst ? 0 : 1]), "seed \(seed), line \(line)")
            }
            world.run(until: 127_000)
            judge(&world, everybody, linesSince: 125_000)
        }
    }
}
