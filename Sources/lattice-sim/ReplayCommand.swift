import ArgumentParser
import LatticeSimulator

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Repeat the plan of one seed and print what happened."
    )

    @Argument(help: "The seed that sweep printed.")
    var seed: UInt64

    @Flag(help: "Print every event, one a line.")
    var trace = false

    @Flag(help: "The seed belongs to a plan about stores.")
    var stores = false

    @Flag(help: "The seed belongs to a plan about blobs.")
    var blobs = false

    func validate() throws {
        if stores, blobs { throw ValidationError("--stores and --blobs cannot be combined") }
    }

    func run() throws {
        let listener: (([String]) -> Void)? =
            trace
            ? { lines in
                for line in lines { print(line) }
            } : nil
        let faults = blobs ? replayBlobs(telling: listener) : replay(telling: listener)
        if trace { print("") }
        for fault in faults { print(fault) }
        guard faults.isEmpty else { throw ExitCode.failure }
        print("seed \(seed): every judge is content")
    }

    private func replay(telling listener: (([String]) -> Void)?) -> [Fault] {
        let plan = stores ? Plan.stores(seed: seed) : Plan.random(seed: seed)
        print(plan)
        print("")
        var trial = Trial(plan)
        return trial.faults(telling: listener)
    }

    private func replayBlobs(telling listener: (([String]) -> Void)?) -> [Fault] {
        let plan = BlobPlan.random(seed: seed)
        print(plan)
        print("")
        var trial = BlobTrial(plan)
        return trial.faults(telling: listener)
    }
}
