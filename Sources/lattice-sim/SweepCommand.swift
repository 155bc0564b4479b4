import ArgumentParser
import LatticeSimulator

/// `lattice-sim sweep`
struct SweepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Draw a plan from each seed, carry it out, judge it; stop at the first that is bad."
    )

    @Option(help: ArgumentHelp("How many seeds.", valueName: "n"))
    var seeds: UInt64

    @Option(help: ArgumentHelp("The first of them.", valueName: "seed"))
    var from: UInt64 = 0

    func validate() throws {
        try require(seeds, in: 1...1_000_000_000, "--seeds")
        try require(from, in: 0...UInt64.max - 1_000_000_000, "--from")
    }

    func run() throws {
        for seed in from..<from + seeds {
            let plan = Plan.random(seed: seed)
            var trial = Trial(plan)
            let faults = trial.faults()
            guard faults.isEmpty else {
                print(plan)
                print("")
                for fault in faults { print(fault) }
                print("\nseed \(seed) is bad; see what happened with: lattice-sim replay \(seed) --trace")
                throw ExitCode.failure
            }
        }
        print("\(seeds) seeds from \(from) on: every judge is content")
    }
}
