import LatticeWire
import Testing

@testable import LatticeSimulator

/// The judges of stores are judged: what is broken on purpose is caught by the judge whose matter it is.
@Suite struct StoreJudgeTests {
    /// Each with a seed whose plan is quick and runs into it.
    @Test(arguments: [
        (Sabotage.asksOneSourceOnly, 19, "progress told"), (.forgetsWhatItDeclined, 4, "fetched once"),
        (.ignoresAge, 23, "nothing comes back"), (.boasts, 45, "progress told"),
    ])
    func whatIsBrokenOnPurposeIsCaught(sabotage: Sabotage, seed: UInt64, judge: String) {
        var plan = Plan.stores(seed: seed)
        var sound = Trial(plan)
        #expect(sound.faults() == [])
        plan.sabotage = sabotage
        var broken = Trial(plan)
        let found = broken.faults()
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.judge == judge }, "\(found.prefix(3))")
    }

    /// One stores twenty records, the other all: what the first evicts does not come again, unless it hides its floors.
    @Test func aStoreThatTellsNobodyOfItsFloorsPurgesAndFetchesForEver() {
        func faults(_ sabotage: Sabotage) -> [Fault] {
            var plan = Plan(.full(2), seed: 1, linesSince: .max, end: 1_200_000)
            plan.sabotage = sabotage
            plan.stores = [StoreSettings(), StoreSettings()]
            plan.stores[1].quota = 20
            for peer in 0..<2 { plan.weather += [.start(peer, at: 0), .discover(peer, at: 10)] }
            for number in 0..<40 {
                plan.weather.append(.write(0, .post(lifetime: 86_400), at: 2_000 + Int64(number) * 1_000))
            }
            // A new process has forgotten what was declined.
            for number in 0..<12 {
                let time = 60_000 + Int64(number) * 60_000
                plan.weather += [.crash(1, at: time), .restart(1, withDisk: true, at: time + 1_000)]
                plan.weather.append(.discover(1, at: time + 1_001))
            }
            var trial = Trial(plan)
            return trial.faults()
        }
        #expect(faults(.none) == [])
        #expect(faults(.hasNoFloors).contains { $0.judge == "nothing comes back" })
    }

    /// Six in a line have been apart. With nobody telling of what was gained, each further hop waits for the next comparison.
    @Test func newsThatIsNotSpreadIsMissed() {
        func faults(_ sabotage: Sabotage) -> [Fault] {
            var plan = Plan(.line(6), seed: 1, linesSince: .max, end: 330_000)
            plan.sabotage = sabotage
            plan.stores = Array(repeating: StoreSettings(), count: 6)
            for peer in 0..<6 { plan.weather += [.start(peer, at: 0), .discover(peer, at: 10)] }
            plan.weather.append(.partition((0..<6).map { [$0] }, at: 100_000))
            for number in 0..<20 {
                plan.weather.append(.write(0, .post(lifetime: 86_400), at: 200_000 + Int64(number) * 100))
            }
            plan.weather += [.crash(0, at: 299_000), .restart(0, withDisk: true, at: 300_000), .calm(at: 300_001)]
            var world = plan.world
            world.run(until: plan.end)
            return StoreLiveness.faults(of: world)
        }
        #expect(faults(.none) == [])
        #expect(faults(.spreadsNothing).contains { $0.judge == "stores converged" })
    }

    @Test func whatCostsTooMuchIsFound() {
        var world = Plan.stores(seed: 2).world
        #expect(StoreLiveness.faults(of: world) == [])
        world.ledger.began(differences: 3)
        world.ledger.sent(.comparison, bytes: 1_800, toLiar: nil, isFromHonest: true)
        world.ledger.sent(.comparison, bytes: 9_999_999, toLiar: nil, isFromHonest: false)
        #expect(ComparisonCost.faults(of: world) == [])
        world.ledger.sent(.comparison, bytes: 1, toLiar: nil, isFromHonest: true)
        #expect(ComparisonCost.faults(of: world).map(\.judge) == ["comparison cost"])

        let bytesMax = LiarCost.bytesPerMinute * (world.network.adjacency.topology.count - 1)
        world.ledger.sent(.serve, bytes: bytesMax, toLiar: 0, isFromHonest: true)
        #expect(LiarCost.faults(of: world) == [])
        world.ledger.sent(.lack, bytes: 1, toLiar: 0, isFromHonest: true)
        #expect(LiarCost.faults(of: world).map(\.peer) == [0])

        var queues = QueuesWithinLimit()
        queues.inspected(wanted: 32_768, of: 1, at: 5)
        #expect(queues.list.faults == [])
        queues.inspected(wanted: 32_769, of: 1, at: 5)
        #expect(queues.list.faults.map(\.peer) == [1])
    }
}
