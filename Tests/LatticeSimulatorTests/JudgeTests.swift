import LatticeSimulator
import Testing

/// The judges are judged: each broken flood is caught, a sound one is not accused.
@Suite struct JudgeTests {
    private func faults(_ topology: Topology, _ sabotage: Sabotage, timeToLive: UInt8 = 32) -> [Fault] {
        var plan = Plan.calm(topology, seed: 1)
        plan.sabotage = sabotage
        plan.settings.timeToLive = timeToLive
        var trial = Trial(plan)
        return trial.faults()
    }

    @Test func aSoundFloodIsNotAccused() {
        #expect(faults(.full(5), .none) == [])
        #expect(faults(.line(5), .none) == [])
    }

    @Test func aFloodThatForgetsWhatItSawIsCaught() {
        #expect(faults(.full(5), .forgetsWhatItSaw).contains { $0.judge == "delivered once" })
    }

    @Test func aFloodThatAnswersTheGiverIsCaught() {
        let found = faults(.full(5), .answersTheGiver)
        #expect(found.contains { $0.judge == "giver spared" })
    }

    @Test func aFloodThatIgnoresTheTTLIsCaught() {
        let found = faults(.line(3), .ignoresTimeToLive, timeToLive: 1)
        #expect(found.contains { $0.judge == "time to live" && $0.text.contains("TTL 0") })
    }

    @Test func whatNeverArrivesIsMissed() {
        // Over a line of five with TTL 2 the far end cannot be reached.
        let found = faults(.line(5), .none, timeToLive: 2)
        #expect(found.contains { $0.judge == "converged" })
        #expect(found.allSatisfy { $0.judge == "converged" })
    }

    @Test func anOverlayInTwoPiecesIsFound() {
        var plan = Plan.calm(.full(4), seed: 1)
        plan.weather.append(.partition([[0, 1], [2, 3]], at: 20_000))
        plan.linesSince = 90_000
        plan.end = 100_000
        var trial = Trial(plan)
        #expect(trial.faults().contains { $0.judge == "connected overlay" })
    }

    @Test func aLinkThatOnlyOneSideBelievesInIsFound() {
        var plan = Plan.calm(.full(2), seed: 1)
        // While an acceptance is on its way only whoever sent it takes the link for connected.
        plan.network = NetworkConditions(latency: 500...500)
        var found: Set<String> = []
        for end in stride(from: Int64(1_000), through: 6_000, by: 250) {
            var world = plan.world
            world.run(until: end)
            for fault in Liveness.faults(of: world, linesSince: .max) { found.insert(fault.judge) }
        }
        #expect(found.contains("symmetric views"))
    }
}

extension Plan {
    /// Everybody starts and is discovered within a second; one line each after ten.
    static func calm(_ topology: Topology, seed: UInt64) -> Plan {
        var plan = Plan(topology, seed: seed, linesSince: 10_000, end: 20_000)
        for peer in 0..<topology.count {
            plan.weather += [.start(peer, at: Int64(peer) * 7), .discover(peer, at: 100 + Int64(peer) * 11)]
            plan.weather.append(.say(peer, at: 10_000 + Int64(peer) * 3))
        }
        return plan
    }
}
