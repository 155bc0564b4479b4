import LatticeSimulator
import Testing

/// Urgent lines in a mesh whose links are full, beside the same mesh while it is idle.
@Suite struct UrgencyTests {
    @Test func anUrgentLineIsHardlyLaterThanInAnIdleMeshAndALiarGainsNothing() {
        var network = NetworkConditions(latency: 20...60)
        network.bytesPerSecond = 2_500_000
        var experiment = UrgencyExperiment(.full(60), seed: 3, network: network)
        experiment.urgent = 6
        experiment.load = 2
        let report = experiment.report()
        #expect(report.faults == [] && report.overflows == 0)
        #expect(report.busyShare > 0.02, "the mesh is under full load: \(report.busyShare)")
        #expect(report.idle.count == 6 && report.loaded.count == 6)
        #expect(report.loaded.allSatisfy { $0.reliability == 1 } && report.idle.allSatisfy { $0.reliability == 1 })
        #expect(report.ratio <= 1.5, "\(report.ratio)")
        let usual = RecordFigures.mean(of: report.usual)
        let urgent = RecordFigures.mean(of: report.loaded)
        #expect(usual.last > 1.5 * urgent.last, "a usual line waits: \(usual.last) ms")
        // What the liar says after its first three lines takes as long as what others say who say as much.
        let (liar, honest) = (RecordFigures.mean(of: report.liar), RecordFigures.mean(of: report.honest))
        #expect(liar.last > 0.85 * honest.last && liar.median > 0.75 * honest.median)
    }

    @Test func oneSeedIsOneReport() {
        var network = NetworkConditions(latency: 10...20)
        network.bytesPerSecond = 1_000_000
        var experiment = UrgencyExperiment(.full(20), seed: 1, network: network)
        experiment.urgent = 3
        let (first, second) = (experiment.report(), experiment.report())
        #expect(first.loaded == second.loaded && first.liar == second.liar && first.usual == second.usual)
        #expect(first.idle == second.idle && first.ratio == second.ratio)
    }
}
