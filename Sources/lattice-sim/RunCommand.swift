import ArgumentParser
import LatticeSimulator

extension Experiment.Senders: ExpressibleByArgument {}

/// `lattice-sim run`
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Measure how well, how fast and at what cost lines travel through a large mesh.",
        discussion: """
            Peers start one after the other, settle, and then hear one line after the other. Times are those of the \
            simulated network, wall_s alone is not. Loss, duplication and reordering go beyond what TCP lets happen and \
            spare pings, invitations and goodbyes.
            """
    )

    @Option(help: ArgumentHelp("How many peers.", valueName: "2-100000"))
    var peers = 1_000

    @Option(help: "Where chance begins.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Repeat with so many seeds, one after the other, and tell the means.", valueName: "n"))
    var seeds = 1

    @Option(help: ArgumentHelp("How many lines are said.", valueName: "n"))
    var records = 20

    @Option(help: "Who says them: one peer, or one drawn for each.")
    var senders = Experiment.Senders.one

    @Option(
        help: "full, line, ring, grid, random:DEGREE or islands:COUNT.", transform: Arguments.shape)
    var topology = Shape.full

    @OptionGroup(title: "Network") var network: NetworkArguments
    @OptionGroup(title: "Mesh") var mesh: MeshArguments

    @Option(help: ArgumentHelp("From the first start to the last.", valueName: "ms"))
    var joinMs: Int64 = 5_000

    @Option(help: ArgumentHelp("From the last start to the first line.", valueName: "ms"))
    var settleMs: Int64 = 5_000

    @Flag(help: "Peers announce themselves as they do in life; that counts among the frames.")
    var presence = false

    @Option(help: ArgumentHelp("From line to line.", valueName: "ms"))
    var intervalMs: Int64 = 1_000

    @Option(help: ArgumentHelp("Share of the peers that is killed at once.", valueName: "0-0.99"))
    var fail = 0.0

    @Option(help: ArgumentHelp("After how many lines they are killed.", valueName: "n"))
    var failAfter = 10

    @Flag(help: "One JSON object.")
    var json = false

    @Flag(help: "Leave out the wall time: then two runs print the same bytes.")
    var noWall = false

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
            throw ValidationError("with --fail there have to be lines after it: --records above --fail-after")
        }
        _ = try topology.topology(of: peers)
    }

    func run() throws {
        var reports: [ExperimentReport] = []
        let clock = ContinuousClock()
        let wall = try clock.measure {
            for number in 0..<UInt64(seeds) { reports.append(try experiment(seed: seed + number).report()) }
        }
        let figures = Figures(reports, seed: seed, wall: noWall ? nil : wall / seeds)
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
