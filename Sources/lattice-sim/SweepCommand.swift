import ArgumentParser
import LatticeSimulator

struct SweepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Run a random plan for each seed and judge it; stop at the first failure."
    )

    @Option(help: ArgumentHelp("Number of seeds.", valueName: "n"))
    var seeds: UInt64

    @Option(help: ArgumentHelp("The first seed.", valueName: "seed"))
    var from: UInt64 = 0

    @Flag(help: "Test stores that converge instead of floods.")
    var stores = false

    @Flag(help: "Test blobs that peers fetch instead of floods.")
    var blobs = false

    @Option(
        help: ArgumentHelp("Break something on purpose; a judge must notice.", valueName: "what"),
        transform: SimArguments.sabotage)
    var sabotage = Sabotage.none

    @Flag(help: "Continue after a failure; print one line for each seed.")
    var keepGoing = false

    @Flag(help: "Also print one number for all effects of all seeds; equal numbers mean that nothing has changed.")
    var effects = false

    func validate() throws {
        try require(seeds, in: 1...1_000_000_000, "--seeds")
        try require(from, in: 0...UInt64.max - 1_000_000_000, "--from")
        if blobs, stores || effects || sabotage != .none {
            throw ValidationError("--blobs cannot be combined with --stores, --effects and --sabotage")
        }
    }

    func run() throws {
        var badCount = 0
        var trace = EffectTrace()
        for seed in from..<from + seeds {
            let (plan, faults) = blobs ? judgeBlobs(seed) : judge(seed, &trace)
            if keepGoing, let first = faults.first {
                badCount += 1
                print("seed \(seed): \(faults.count) faults, the first: \(first)")
                continue
            }
            guard faults.isEmpty else {
                print(plan)
                print("")
                for fault in faults { print(fault) }
                let kind = stores ? " --stores" : blobs ? " --blobs" : ""
                print("\nseed \(seed) is bad; see what happened with: lattice-sim replay \(seed)\(kind) --trace")
                throw ExitCode.failure
            }
        }
        if badCount > 0 {
            print("\(badCount) of \(seeds) seeds from \(from) on are bad")
            throw ExitCode.failure
        }
        print("\(seeds) seeds from \(from) on: every judge is content")
        if effects { print("effects \(trace)") }
    }

    private func judge(_ seed: UInt64, _ trace: inout EffectTrace) -> (plan: String, faults: [Fault]) {
        var plan = stores ? Plan.stores(seed: seed) : Plan.random(seed: seed)
        plan.sabotage = sabotage
        var trial = Trial(plan, isTraced: effects)
        let faults = trial.faults()
        if let traced = trial.world.effectTrace { trace.add(traced.value) }
        return ("\(plan)", faults)
    }

    private func judgeBlobs(_ seed: UInt64) -> (plan: String, faults: [Fault]) {
        let plan = BlobPlan.random(seed: seed)
        var trial = BlobTrial(plan)
        return ("\(plan)", trial.faults())
    }
}
