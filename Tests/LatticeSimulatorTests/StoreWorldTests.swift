import LatticeSimulator
import LatticeWire
import Testing

/// Stores of a whole mesh: plans drawn from seeds, and the few that everybody thinks of first.
@Suite struct StoreWorldTests {
    /// Quick ones, and the traces of all their effects (see `PlanTests`); `tools/sweep stores` tries thousands.
    @Test(arguments: [
        (2, "f4022f080d3ed1b8"), (3, "4ca0438dcaca1051"), (4, "10f66863a8b73fe8"), (6, "cc6528d14d022ba4"),
        (7, "53a9bd8f243cf140"), (9, "68b7e44c20eb11f2"),
    ])
    func everyJudgeIsContentWithPlansAboutStores(seed: UInt64, trace: String) {
        var trial = Trial(Plan.stores(seed: seed), isTraced: true)
        #expect(trial.faults() == [], "lattice-sim replay \(seed) --stores --trace")
        #expect(trial.world.effectTrace?.description == trace)
    }

    @Test func oneSeedIsOnePlanAndOneStory() {
        func story(_ seed: UInt64) -> [String] {
            let plan = Plan.stores(seed: seed)
            var lines = ["\(plan)"]
            var trial = Trial(plan)
            lines += trial.faults { lines += $0 }.map(\.description)
            return lines
        }
        #expect(story(6) == story(6))
        #expect(story(6) != story(4))
    }

    private func plan(_ topology: Topology, end: Int64) -> Plan {
        var plan = Plan(topology, seed: 7, linesSince: .max, end: end)
        plan.stores = Array(repeating: StoreSettings(), count: topology.count)
        return plan
    }

    private func posts(by peer: Int, _ count: Int, from time: Int64) -> [Weather] {
        (0..<count).map { .write(peer, .post(lifetime: 86_400), at: time + Int64($0) * 50) }
    }

    private func meet(_ peer: Int, at time: Int64) -> [Weather] {
        [.restart(peer, withDisk: true, at: time), .discover(peer, at: time + 1)]
    }

    /// The first and the last never run at the same time; the one between them carries.
    @Test func whatIsSaidReachesWhoComesWhenItsAuthorIsGone() {
        var plan = plan(.line(3), end: 300_000)
        plan.weather = [.start(0, at: 0), .start(1, at: 0), .discover(0, at: 10)] + posts(by: 0, 50, from: 5_000)
        plan.weather += [.crash(0, at: 60_000), .crash(1, at: 70_000), .start(2, at: 100_000)] + meet(1, at: 200_000)
        var world = plan.world
        world.run(until: plan.end)
        #expect(world.storedCount(of: 2) == 50)
        #expect(world.faults == [])
    }

    @Test func whoWalksBetweenTwoIslandsCarriesBothWays() {
        var plan = plan(.full(5), end: 600_000)
        for peer in 0..<5 { plan.weather += [.start(peer, at: 0), .discover(peer, at: 10)] }
        plan.weather.append(.partition([[0, 1, 4], [2, 3]], at: 20_000))
        plan.weather += posts(by: 0, 10, from: 60_000) + posts(by: 2, 10, from: 60_000)
        for (number, isLeft) in [false, true, false].enumerated() {
            let time = 120_000 + Int64(number) * 120_000
            plan.weather.append(.partition(isLeft ? [[0, 1, 4], [2, 3]] : [[0, 1], [2, 3, 4]], at: time))
            plan.weather.append(.discover(4, at: time + 1))
        }
        var world = plan.world
        world.run(until: plan.end)
        #expect((0..<5).map { world.storedCount(of: $0) } == [20, 20, 20, 20, 20])
        #expect(world.faults == [])
    }

    /// Two liars among six, of each kind: they are bounded, and nothing that an honest one has is hidden.
    @Test(arguments: Hostility.ofStores)
    func aLiarHidesNothingThatAnHonestNeighbourHas(hostility: Hostility) {
        var plan = plan(.full(6), end: 100_000)
        for peer in 0..<3 { plan.weather += [.start(peer, at: 0), .discover(peer, at: 10)] }
        plan.weather += posts(by: 0, 60, from: 5_000)
        for peer in 3..<6 { plan.weather += [.start(peer, at: 20_000), .discover(peer, at: 20_010)] }
        plan.weather += [0, 4].map { .hostile($0, hostility, at: 30_000) }
        plan.weather += posts(by: 1, 40, from: 60_000)
        // One that comes back without its disk.
        plan.weather += [.crash(5, at: 50_000), .restart(5, withDisk: false, at: 70_000), .discover(5, at: 70_001)]
        var trial = Trial(plan)
        #expect(trial.faults() == [])
        #expect(trial.world.storedCount(of: 5) == 100)
    }

    @Test func whatWasTakenBackDoesNotComeBackFromWhoWasAway() {
        var plan = plan(.full(3), end: 400_000)
        for peer in 0..<3 { plan.weather += [.start(peer, at: 0), .discover(peer, at: 10)] }
        plan.weather += posts(by: 0, 3, from: 5_000) + [.crash(2, at: 20_000)]
        plan.weather += (0..<3).map { .write(0, .deletion, at: 30_000 + Int64($0) * 100) }
        plan.weather += meet(2, at: 100_000)
        var world = plan.world
        world.run(until: plan.end)
        // Three deletions, and not one of the posts.
        #expect((0..<3).map { world.storedCount(of: $0) } == [3, 3, 3])
        #expect(world.faults == [])
    }

    /// Days off either way, and a machine that thinks it is 1970: what they have they get and give.
    @Test func peersWhoseClocksAreDaysOffHaveTheSame() {
        var plan = plan(.full(4), end: 300_000)
        let day: Int64 = 86_400_000
        for (peer, skew) in [0, 3 * day, -3 * day, -100 * day].enumerated() {
            plan.weather += [.skewClock(peer, skew, at: 0), .start(peer, at: 0), .discover(peer, at: 10)]
        }
        plan.weather.append(.partition([[0], [1], [2], [3]], at: 20_000))
        for peer in 0..<4 {
            plan.weather += (0..<10).map {
                .write(peer, .post(lifetime: 31_536_000), at: 60_000 + Int64($0) * 100)
            }
            plan.weather += [.crash(peer, at: 90_000), .restart(peer, withDisk: true, at: 100_000)]
        }
        plan.weather.append(.calm(at: 100_001))
        var world = plan.world
        world.run(until: plan.end)
        #expect((0..<4).map { world.storedCount(of: $0) } == [40, 40, 40, 40])
        #expect(world.faults == [])
    }

    /// What is fetched is fetched once, what is equal costs little, and peers that meet are equal within seconds.
    @Test func storesThatMeetAreEqualWithinSecondsAndFetchNothingTwice() {
        var experiment = StoreExperiment(.full(5), seed: 3)
        experiment.common = 100
        experiment.own = 15
        let report = experiment.report()
        #expect(report.equalAfter.map { $0 < 5_000 } == true)
        #expect(report.meeting.served <= report.lacking * 5 / 4)
        #expect(report.idle.bytesBesides / Int(report.idleMinutes) / report.peers < 2_000)
        #expect(report.faults == [])
    }
}
