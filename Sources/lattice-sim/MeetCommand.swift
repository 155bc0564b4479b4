import ArgumentParser
import LatticeSimulator

struct MeetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meet",
        abstract: "Measure how stores converge after peers were apart, and at what cost.",
        discussion: """
            Everybody has the same records; then each peer is alone and says some more; then all meet. Means over the \
            seeds. 'overhead' is what comparing, asking and confirming takes for each copy that somebody lacked, in \
            bytes; 'idle' is what all of it takes from one peer in a minute once nothing differs.
            """
    )

    @Option(help: ArgumentHelp("Number of peers.", valueName: "2-60"))
    var peers = 8

    @Option(
        help: "full, line, ring, grid, random:DEGREE or islands:COUNT.", transform: SimArguments.shape)
    var topology = Shape.full

    @Option(help: ArgumentHelp("Records that all peers have at the start.", valueName: "n"))
    var common = 500

    @Option(help: ArgumentHelp("Records that each peer publishes while it is alone.", valueName: "n"))
    var own = 10

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Number of seeds to run.", valueName: "n"))
    var seeds = 5

    func validate() throws {
        try require(peers, in: 2...60, "--peers")
        try require(common, in: 0...20_000, "--common")
        try require(own, in: 0...5_000, "--own")
        try require(seeds, in: 1...1_000, "--seeds")
        _ = try topology.topology(of: peers)
    }

    func run() throws {
        var reports: [StoreReport] = []
        for number in 0..<UInt64(seeds) {
            var experiment = StoreExperiment(try topology.topology(of: peers), seed: seed + number)
            experiment.common = common
            experiment.own = own
            reports.append(experiment.report())
        }
        print(Self.object(reports).text)
        let faults = reports.flatMap(\.faults)
        for fault in faults { print(fault) }
        if !faults.isEmpty || reports.contains(where: { $0.equalAfter == nil }) { throw ExitCode.failure }
    }

    private static func object(_ reports: [StoreReport]) -> JSONObject {
        func mean(_ value: (StoreReport) -> Double) -> Double {
            reports.reduce(0) { $0 + value($1) } / Double(reports.count)
        }
        let times = reports.compactMap(\.equalAfter)
        var object = JSONObject()
        object.set("peers", reports[0].peers)
        object.set("equal", times.count)
        object.set("equal_ms_mean", times.isEmpty ? 0 : times.reduce(0, +) / Double(times.count))
        object.set("equal_ms_max", times.max() ?? 0)
        object.set("comparisons", mean { Double($0.meeting.comparisons) })
        object.set("copies_per_lacking", mean { Double($0.meeting.served) / Double(max(1, $0.lacking)) })
        object.set(
            "comparison_bytes_per_lacking", mean { Double($0.meeting.comparisonBytes) / Double(max(1, $0.lacking)) })
        object.set("overhead_bytes_per_lacking", mean { Double($0.meeting.bytesBesides) / Double(max(1, $0.lacking)) })
        object.set(
            "idle_bytes_per_peer_minute",
            mean { Double($0.idle.bytesBesides) / $0.idleMinutes / Double($0.peers) })
        object.set(
            "idle_comparisons_per_peer_minute", mean { Double($0.idle.comparisons) / $0.idleMinutes / Double($0.peers) }
        )
        return object
    }
}
