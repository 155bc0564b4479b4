import LatticeSimulator
import Testing

/// What a line costs in meshes of fixed shapes, frame by frame and byte by byte: the same from one seed on every machine. Who makes the
/// mesh dearer has to say so here, and who makes it cheaper may.
@Suite struct CostTests {
    struct Cost: Equatable, CustomStringConvertible {
        /// Of all types, from the first line to a second after the last.
        var frames: Int
        var bytes: Int
        /// Of these, the ones that carry a record.
        var recordFrames: Int

        var description: String { "\(frames) frames, \(bytes) bytes, \(recordFrames) with records" }
    }

    private static let lines = 20

    private func cost(of topology: Topology) -> Cost {
        var experiment = Experiment(
            topology, seed: 9, records: Self.lines, network: NetworkConditions(latency: 10...10))
        experiment.joinTime = 2_000
        experiment.settleTime = 10_000
        experiment.senders = .random
        let report = experiment.report()
        #expect(report.faults == [])
        #expect(report.mean.reliability == 1)
        return Cost(
            frames: report.tally.frames, bytes: report.tally.bytes,
            recordFrames: Int(report.records.reduce(0) { $0 + $1.recordFrames }))
    }

    @Test(arguments: [
        (Topology.full(2), Cost(frames: 53, bytes: 3_243, recordFrames: 20)),
        (.line(6), Cost(frames: 212, bytes: 18_200, recordFrames: 100)),
        (.full(9), Cost(frames: 1_636, bytes: 128_886, recordFrames: 608)),
        (.full(64), Cost(frames: 9_092, bytes: 862_680, recordFrames: 1_963)),
    ])
    func linesCostExactlySoMuch(in topology: Topology, _ expected: Cost) {
        #expect(cost(of: topology) == expected)
    }
}
