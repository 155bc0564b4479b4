import LatticeCore
import LatticeMesh
import LatticeWire

/// Peers that were apart meet again. Measures how long it takes until all stores are equal, what reconciling costs, and
/// what it costs after that to find no difference.
package struct StoreExperiment: Sendable {
    package var topology: Topology
    package var seed: UInt64
    /// Records that everybody has at the start.
    package var common = 0
    /// Records that each peer writes while it is alone.
    package var own = 10
    package var network = NetworkConditions(latency: 10...50)

    package init(_ topology: Topology, seed: UInt64) {
        self.topology = topology
        self.seed = seed
    }

    /// When the common records are said, when everybody is separated, and when they meet, in milliseconds.
    private static let commonAt: Int64 = 10_000
    private static let apartAt: Int64 = 300_000
    private static let meetAt: Int64 = 600_000
    /// How long the equal stores are observed.
    private static let idleTime: Int64 = 600_000
    private static let patience: Int64 = 1_800_000

    /// Whether all stores of running peers contain the same records.
    private static func areEqual(_ stores: Stores, of peers: [SimulatedPeer]) -> Bool {
        let sums = peers.indices.filter { peers[$0].isUp }.map { stores.all[$0].sets.map(\.sum) }
        return sums.allSatisfy { $0 == sums.first }
    }

    package func report() -> StoreReport {
        let count = topology.count
        var world = World(
            topology, seed: seed, network: network, stores: Array(repeating: StoreSettings(), count: count))
        for peer in 0..<count { world.plan([.start(peer, at: 0), .discover(peer, at: 100)]) }
        let lifetime: UInt32 = 86_400
        for number in 0..<common {
            world.plan([.write(number % count, .post(lifetime: lifetime), at: Self.commonAt + Int64(number) * 10)])
        }
        world.plan([.partition((0..<count).map { [$0] }, at: Self.apartAt)])
        for peer in 0..<count {
            for number in 0..<own {
                world.plan([.write(peer, .post(lifetime: lifetime), at: Self.apartAt + 60_000 + Int64(number) * 100)])
            }
        }
        // A restart empties the outboxes, whose records would be pushed. Only what is on disk is left to reconcile.
        for peer in 0..<count {
            world.plan([.crash(peer, at: Self.meetAt - 1_000), .restart(peer, withDisk: true, at: Self.meetAt)])
        }
        world.plan([.calm(at: Self.meetAt + 1)])
        world.run(until: Self.meetAt - 1)
        let apart = (ledger: world.ledger, tally: world.tally)
        var equalAt: Int64?
        while equalAt == nil, world.milliseconds < Self.meetAt + Self.patience {
            world.run(until: world.milliseconds + 50)
            if Self.areEqual(world.stores, of: world.peers) { equalAt = world.milliseconds }
        }
        // What was gained is announced once more before all is quiet.
        world.run(until: world.milliseconds + 60_000)
        let met = (ledger: world.ledger, tally: world.tally)
        world.run(until: world.milliseconds + Self.idleTime)
        return StoreReport(
            peers: count, equalAfter: equalAt.map { Double($0 - Self.meetAt) },
            meeting: SyncCost(from: apart.ledger, to: met.ledger, tally: met.tally.since(apart.tally)),
            idle: SyncCost(from: met.ledger, to: world.ledger, tally: world.tally.since(met.tally)),
            idleMinutes: Double(Self.idleTime) / 60_000, lacking: (count - 1) * own * count, faults: world.faults)
    }
}

/// The cost of reconciling and fetching over a period.
package struct SyncCost: Sendable {
    package let comparisons: Int
    package let comparisonBytes: Int
    package let served: Int
    /// Bytes of all frames about stores, without the records themselves.
    package let bytesBesides: Int

    init(from start: SyncLedger, to end: SyncLedger, tally: FrameTally) {
        comparisons = end.comparisons - start.comparisons
        comparisonBytes = end.comparisonBytes - start.comparisonBytes
        served = end.served - start.served
        bytesBesides = tally.bytes(of: [.keeping, .comparison, .offer, .fetch, .lack, .stored])
    }
}

package struct StoreReport: Sendable {
    package let peers: Int
    /// In milliseconds after the meeting; `nil` if the stores never became equal.
    package let equalAfter: Double?
    package let meeting: SyncCost
    package let idle: SyncCost
    package let idleMinutes: Double
    /// How many copies were missing at the peers.
    package let lacking: Int
    package let faults: [Fault]
}
