import LatticeSimulator
import Testing

/// Experiments: what they say about a mesh of a known shape.
@Suite struct ExperimentTests {
    private func experiment(_ topology: Topology, records: Int) -> Experiment {
        var experiment = Experiment(
            topology, seed: 5, records: records, network: NetworkConditions(latency: 10...10))
        experiment.joinTime = 2_000
        experiment.settleTime = 5_000
        return experiment
    }

    @Test func aPairHearsEveryLineOnceAfterOneLatency() {
        let report = experiment(.full(2), records: 3).report()
        #expect(report.mean.reliability == 1)
        #expect(report.mean.redundancy == 0)
        #expect(report.mean.lastHop == 1)
        #expect(report.mean.last == 10)
        #expect(report.linksMean == 1)
        #expect(report.isolated == 0)
        #expect(report.faults == [])
    }

    @Test func aLineOfPeersTakesAHopAPeer() {
        var plan = experiment(.line(6), records: 2)
        plan.senders = .one
        let report = plan.report()
        #expect(report.mean.reliability == 1)
        #expect(report.mean.last == report.mean.lastHop * 10)
    }

    @Test func aFailureIsToldOfLineByLineAmongThoseWhoSurvive() {
        var plan = experiment(.full(60), records: 6)
        plan.failShare = 0.3
        plan.failAfter = 2
        plan.senders = .random
        let report = plan.report()
        #expect(report.afterFailure.count == 4)
        #expect(report.afterFailure.allSatisfy { $0 > 0.5 && $0 <= 1 })
        #expect(report.peers == 60)
    }

    @Test func oneSeedIsOneReport() {
        let plan = experiment(.full(40), records: 4)
        #expect(plan.report().records == plan.report().records)
        #expect(plan.report().tally == plan.report().tally)
    }
}
