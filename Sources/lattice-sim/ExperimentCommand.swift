import ArgumentParser
import LatticeSimulator

extension Experiment.Senders: ExpressibleByArgument {}

struct ExperimentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Measure reliability, latency and cost of lines in a large mesh.",
        discussion: """
            Peers start one after the other, settle, and then hear one line after the other. Times are those of the \
            simulated network, wall_s alone is not. Loss, duplication and reordering go beyond what TCP lets happen and \
            spare pings, invitations and goodbyes.
            """
    )

    @Option(help: ArgumentHelp("Number of peers.", valueName: "2-100000"))
    var peers = 1_000

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Number of seeds to run; the means are printed.", valueName: "n"))
    var seeds = 1

    @Option(help: ArgumentHelp("Number of lines.", valueName: "n"))
    var records = 20

    @Option(help: "Who sends the lines: one peer, or a random one for each.")
    var senders = Experiment.Senders.one

    @Option(
        help: "full, line, ring, grid, random:DEGREE or islands:COUNT.", transform: SimArguments.shape)
    var topology = Shape.full

    @OptionGroup(title: "Network") var network: NetworkArguments
    @OptionGroup(title: "Mesh") var mesh: MeshArguments

    @Option(help: ArgumentHelp("Time over which the peers start.", valueName: "ms"))
    var joinMs: Int64 = 5_000

    @Option(help: ArgumentHelp("Time between the last start and the first line.", valueName: "ms"))
    var settleMs: Int64 = 5_000

    @Flag(help: "Peers announce themselves as in real use; these frames are counted.")
    var presence = false

    @Option(help: ArgumentHelp("Time between two lines.", valueName: "ms"))
    var intervalMs: Int64 = 1_000

    @Option(help: ArgumentHelp("Share of the peers that are killed at once.", valueName: "0-0.99"))
    var fail = 0.0

    @Option(help: ArgumentHelp("Lines sent before the peers are killed.", valueName: "n"))
    var failAfter = 10

    @Flag(help: "One JSON object.")
    var json = false

    @Flag(help: "Leave out the wall time, so that two runs print the same bytes.")
    var noWallTime = false

    func validate() throws {
        try require(peers, in: 2...100_000, "--peers")
        try require(seeds, in: 1...1_000, "--seeds")
        try require(records, in: 1...10_000, "--records")
        try require(joinMs, in: 0...3_600_000, "--join-ms")
        try require(settleMs, in: 0...3_600_000, "--settle-ms")
        try require(intervalMs, in: 1...3_600_000, "--interval-ms")
        try require(fail, in: 0...0.99, "--fail")
        try require(failAfter, in: 0...10_000, "--fail-after")
        if fail > 0, failAfter >= records {
            throw ValidationError("--fail needs lines after it: make --records greater than --fail-after")
        }
        _ = try topology.topology(of: peers)
    }

    func run() throws {
        var reports: [ExperimentReport] = []
        let clock = ContinuousClock()
        let wallTime = try clock.measure {
            for number in 0..<UInt64(seeds) { reports.append(try experiment(seed: seed + number).report()) }
        }
        let figures = Figures(reports, seed: seed, wallTime: noWallTime ? nil : wallTime / seeds)
        print(json ? figures.json : figures.table, terminator: "")
        let faults = reports.flatMap(\.faults)
        for fault in faults { print(fault) }
        if !faults.isEmpty { throw ExitCode.failure }
    }

    private func experiment(seed: UInt64) throws -> Experiment {
        var experiment = Experiment(
            try topology.topology(of: peers), seed: seed, records: records, network: network.conditions)
        experiment.senders = senders
        experiment.settings = mesh.settings
        experiment.joinTime = joinMs
        experiment.settleTime = settleMs
        experiment.isPresenceOn = presence
        experiment.interval = intervalMs
        experiment.failShare = fail
        experiment.failAfter = failAfter
        return experiment
    }
}
