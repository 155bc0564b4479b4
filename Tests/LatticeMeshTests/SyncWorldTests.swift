import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

@Suite struct SyncWorldTests {
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func twoThatMeetHaveTheSameWithinASecond(seed: UInt64) throws {
        var world = try SyncWorld(2, seed: seed)
        try world.give(0, Int(seed) * 10)
        try world.give(1, 50)
        try world.link(0, 1)
        world.pass(.seconds(1))
        #expect(world.haveAllTheSame)
        #expect(world.peers[0].mesh.antiEntropy.progress.isCaughtUp)
        world.pass(.seconds(4))
        #expect(world.peers[1].mesh.antiEntropy.progress.isCaughtUp)
        #expect(world.peers[0].mesh.antiEntropy.neighbours.map(\.gained) == [50])
        #expect(world.peers[0].mesh.antiEntropy.neighbours.map(\.given) == [Int(seed) * 10])
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func whatIsNewWalksAlongALineInSeconds(seed: UInt64) throws {
        var world = try SyncWorld(6, seed: seed)
        for peer in 0..<4 { try world.link(peer, peer + 1) }
        world.pass(.seconds(30))
        try world.give(5, 20)
        try world.link(5, 4)
        world.pass(.seconds(10))
        #expect(world.haveAllTheSame)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func everybodyComesToHaveTheSameHoweverTheyAreLinked(seed: UInt64) throws {
        var world = try SyncWorld(Int(2 + seed % 7), seed: seed)
        for peer in world.peers.indices { try world.give(peer, Int.random(in: 0..<60, using: &world.generator)) }
        try linkAll(&world)
        world.pass(.seconds(120))
        #expect(world.haveAllTheSame)
        #expect(world.peers.allSatisfy { $0.mesh.antiEntropy.fetching.isEmpty })
        // Nothing was stored twice, and hardly anything sent twice.
        #expect(world.peers.allSatisfy { $0.keptCounts.values.allSatisfy { $0 == 1 } })
        #expect(world.frameCounts[.lack, default: 0] == 0)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func framesThatGetLostDelayWhatIsFetchedAndNoMore(seed: UInt64) throws {
        var world = try SyncWorld(4, seed: seed)
        for peer in world.peers.indices { try world.give(peer, 100) }
        world.lossPerMille = 100
        try linkAll(&world)
        world.pass(.seconds(600))
        #expect(world.haveAllTheSame)
        // Nobody is taken for a liar because a network is bad.
        #expect(world.peers.allSatisfy { $0.mesh.antiEntropy.links.allSatisfy { $0.reputation.shunnedUntil == nil } })
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func linksThatBreakAndComeBackLoseNothing(seed: UInt64) throws {
        var world = try SyncWorld(5, seed: seed)
        for peer in world.peers.indices { try world.give(peer, 150) }
        for _ in 0..<40 {
            let pair = Array(world.peers.indices.shuffled(using: &world.generator).prefix(2))
            world.cut(pair[0], pair[1])
            if Bool.random(using: &world.generator) { try world.link(pair[0], pair[1]) }
            world.pass(.milliseconds(Int64.random(in: 1..<300, using: &world.generator)))
        }
        for peer in 0..<4 {
            world.cut(peer, peer + 1)
            try world.link(peer, peer + 1)
        }
        world.pass(.seconds(60))
        #expect(world.haveAllTheSame)
        #expect(world.peers.allSatisfy { $0.mesh.antiEntropy.fetching.isEmpty })
    }

    @Test(
        arguments: [SyncWorld.Conduct.makesUp, .isSilent, .forces, .deniesAll, .isLate], 1...2 as ClosedRange<UInt64>)
    func whoeverLiesHidesNothingThatAnHonestNeighbourHas(conduct: SyncWorld.Conduct, seed: UInt64) throws {
        var world = try SyncWorld(5, seed: seed)
        for peer in world.peers.indices { try world.give(peer, 100) }
        let liar = 4
        world.peers[liar].conduct = conduct
        for record in world.peers[0].records.values { world.peers[liar].insert(record) }
        for peer in 0..<4 { try world.link(peer, liar) }
        world.pass(.seconds(5))
        try linkAll(&world, 0..<4)
        // The liar's own records are what only it has.
        let common = Set(world.peers[..<4].flatMap { $0.records.keys })
        world.pass(.seconds(90))
        for peer in world.peers[..<4] { #expect(common.isSubset(of: peer.records.keys)) }
        world.pass(.seconds(600))
        #expect(world.peers[..<4].allSatisfy { $0.mesh.antiEntropy.fetching.count <= 3_000 })
    }

    @Test func whoeverMakesThingsUpCostsABoundedAmount() throws {
        var world = try SyncWorld(2, seed: 3)
        try world.give(0, 100)
        world.peers[1].conduct = .makesUp
        try world.link(0, 1)
        world.pass(.seconds(3_600))
        #expect(world.peers[1].bytesIn < 2_000_000)
        // It is not for ever that somebody is kept from being caught up.
        #expect(world.peers[0].mesh.antiEntropy.fetching.isEmpty)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func aStoreThatFailsForAWhileHasEverythingInTheEnd(seed: UInt64) throws {
        var world = try SyncWorld(3, seed: seed)
        for peer in world.peers.indices { try world.give(peer, 200) }
        world.peers[1].storeFails = true
        try linkAll(&world)
        world.pass(.seconds(60))
        #expect(!world.peers[1].mesh.antiEntropy.progress.isCaughtUp)
        world.peers[1].storeFails = false
        world.pass(.seconds(60))
        #expect(world.haveAllTheSame)
    }

    @Test func whatOneDoesNotWantIsNotSentAgainAndAgain() throws {
        var world = try SyncWorld(2, seed: 1)
        try world.give(0, 500)
        world.peers[1].declines = Set(world.peers[0].records.keys)
        try world.link(0, 1)
        world.pass(.seconds(3_000))
        #expect(world.frameCounts[.serve] == 500)
        world.pass(.seconds(3 * 3_600))
        #expect(world.frameCounts[.serve, default: 0] <= 5 * 500)
    }

    @Test func equalPeersSayLittle() throws {
        var world = try SyncWorld(2, seed: 1)
        try world.give(0, 1_000)
        for record in world.peers[0].records.values { world.peers[1].insert(record) }
        try world.link(0, 1)
        world.pass(.seconds(60))
        let before = world.frameCounts[.comparison, default: 0]
        world.pass(.seconds(600))
        // A round in a minute on each side: five scopes, three portions, a question and an answer each.
        #expect(world.frameCounts[.comparison, default: 0] - before <= 2 * 13 * 5 * 3 * 2)
        #expect(world.frameCounts[.fetch, default: 0] == 0 && world.frameCounts[.offer, default: 0] == 0)
    }

    @Test func theSameSeedIsTheSameRun() throws {
        func run() throws -> [SyncWorld.Kind: Int] {
            var world = try SyncWorld(5, seed: 77)
            for peer in world.peers.indices { try world.give(peer, 80) }
            world.lossPerMille = 50
            try linkAll(&world)
            world.pass(.seconds(60))
            return world.frameCounts
        }
        #expect(try run() == run())
    }

    /// A line of all, with some more links.
    private func linkAll(_ world: inout SyncWorld, _ range: Range<Int>? = nil) throws {
        let range = range ?? world.peers.indices
        for peer in range.dropLast() {
            try world.link(peer, peer + 1)
            let other = Int.random(in: range, using: &world.generator)
            if abs(other - peer) > 1 { try world.link(peer, other) }
        }
    }
}
