import ArgumentParser
import LatticeSimulator

struct UrgentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "urgent",
        abstract: "Measure urgent lines in a mesh under full load, and in the same mesh while it is idle.",
        discussion: """
            A few peers say more than links carry, so that send queues fill up; one of them claims that all of it is \
            urgent. Quiet peers say one urgent and one usual line each. 'ratio' is how much later the last peer gets \
            the urgent lines under load than in the idle mesh. Fails above --ratio-max.
            """
    )

    @Option(help: ArgumentHelp("Number of peers.", valueName: "20-10000"))
    var peers = 1_000

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Number of seeds to run.", valueName: "n"))
    var seeds = 1

    @Option(help: ArgumentHelp("What each direction of a link carries.", valueName: "Mbit/s"))
    var rate: Int64 = 100

    @Option(help: ArgumentHelp("What is said, as a multiple of the rate.", valueName: "0.1-4"))
    var load = 1.4

    @Option(
        help: ArgumentHelp("One way, fixed for each pair of peers.", valueName: "ms..ms"),
        transform: SimArguments.milliseconds)
    var latency: ClosedRange<Int64> = 10...50

    @Option(help: ArgumentHelp("The highest ratio that is no failure.", valueName: "n"))
    var ratioMax = 1.5

    func validate() throws {
        try require(peers, in: 20...10_000, "--peers")
        try require(seeds, in: 1...1_000, "--seeds")
        try require(rate, in: 1...10_000, "--rate")
        try require(load, in: 0.1...4, "--load")
    }

    func run() throws {
        var reports: [UrgencyReport] = []
        for number in 0..<UInt64(seeds) {
            var conditions = NetworkConditions(latency: latency)
            conditions.bytesPerSecond = rate * 125_000
            var experiment = UrgencyExperiment(.full(peers), seed: seed + number, network: conditions)
            experiment.load = load
            reports.append(experiment.report())
        }
        print(Self.object(reports).text)
        let faults = reports.flatMap(\.faults)
        for fault in faults { print(fault) }
        if !faults.isEmpty || reports.contains(where: { $0.ratio > ratioMax }) { throw ExitCode.failure }
    }

    private static func object(_ reports: [UrgencyReport]) -> JSONObject {
        func mean(_ value: (UrgencyReport) -> Double) -> Double {
            reports.reduce(0) { $0 + value($1) } / Double(reports.count)
        }
        var object = JSONObject()
        object.set("peers", reports[0].peers)
        object.set("ratio", mean(\.ratio))
        object.set("ratio_max", reports.map(\.ratio).max() ?? 0)
        object.set("worst_ratio", mean(\.worstRatio))
        let rows: [(String, KeyPath<UrgencyReport, [RecordFigures]>)] = [
            ("urgent_idle", \.idle), ("urgent_loaded", \.loaded), ("usual_loaded", \.usual), ("liar", \.liar),
            ("other_loud", \.honest),
        ]
        for (name, path) in rows {
            let figures = RecordFigures.mean(of: reports.map { RecordFigures.mean(of: $0[keyPath: path]) })
            var row = JSONObject()
            row.set("lines", reports.reduce(0) { $0 + $1[keyPath: path].count })
            row.set("reliability", figures.reliability)
            row.set("deliver_ms_p50", figures.median)
            row.set("deliver_ms_p99", figures.nearlyAll)
            row.set("last_delivery_ms", figures.last)
            object.set(name, row)
        }
        object.set("busy_links", mean(\.busyShare))
        object.set("overflows", reports.reduce(0) { $0 + $1.overflows })
        object.set("faults", reports.reduce(0) { $0 + $1.faults.count })
        return object
    }
}
