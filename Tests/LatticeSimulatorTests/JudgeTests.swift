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
        // While an `accept` is on its way, only its sender takes the link as connected.
        plan.network = NetworkConditions(latency: 500...500)
        var found: Set<String> = []
        for end in stride(from: Int64(1_000), through: 6_000, by: 250) {
            var world = plan.world
            world.run(until: end)
            for fault in LivenessJudge.faults(of: world, linesSince: .max) { found.insert(fault.judge) }
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

/// Who was killed is gone everywhere within 45 s, and who lives is here, whatever liars say of their presences.
@Suite struct PresenceJudgeTests {
    /// Some of them are killed, and others are new while the dead are still remembered.
    private func plan(_ topology: Topology, seed: UInt64, liar: Hostility? = nil) -> Plan {
        var plan = Plan(topology, seed: seed, linesSince: .max, end: 400_000)
        for peer in 0..<topology.count {
            plan.weather += [.start(peer, at: Int64(peer) * 7), .discover(peer, at: 500)]
        }
        if let liar { plan.weather.append(.hostile(0, liar, at: 1_000)) }
        let last = topology.count - 1
        for killed in [last, last - 1, last - 2] {
            plan.weather.append(.crash(killed, at: 60_000 + Int64(last - killed) * 4_000))
        }
        // Each newcomer hears of the dead from the one before it.
        for round in Int64(0)..<10 {
            let peer = 1 + Int(round % 2)
            let time = 65_000 + round * 15_000
            plan.weather += [.crash(peer, at: time), .restart(peer, withDisk: false, at: time + 500)]
            plan.weather.append(.discover(peer, at: time + 501))
        }
        return plan
    }

    private func faults(_ plan: Plan) -> [Fault] {
        var trial = Trial(plan)
        return trial.faults()
    }

    @Test func theDeadAreGoneAndTheLivingHere() {
        for seed in UInt64(0)..<10 {
            #expect(faults(plan(.full(8), seed: seed)) == [])
            #expect(faults(plan(.line(7), seed: seed)) == [])
        }
    }

    @Test func aPresenceThatIsRefreshedByPassingItOnIsCaught() {
        var broken = plan(.full(8), seed: 1)
        broken.sabotage = .refreshesPresences
        #expect(faults(broken).contains { $0.judge == "the dead are gone" })
    }

    @Test(arguments: [Hostility.revivesTheDead, .agesTheLiving, .repeatsOldRecords, .forgesHops])
    func liarsNeitherBringBackTheDeadNorSendAwayTheLiving(liar: Hostility) {
        for seed in UInt64(0)..<5 { #expect(faults(plan(.full(8), seed: seed, liar: liar)) == []) }
    }

    @Test func aPeerThatIsNotShownIsMissed() {
        var plan = Plan.calm(.full(3), seed: 1)
        plan.weather.append(.partition([[0, 1], [2]], at: 20_000))
        plan.linesSince = .max
        plan.end = 100_000
        #expect(faults(plan).contains { $0.judge == "the living are here" })
    }
}
