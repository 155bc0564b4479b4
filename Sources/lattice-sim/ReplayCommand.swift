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

    func run() throws {
        let plan = stores ? Plan.stores(seed: seed) : Plan.random(seed: seed)
        print(plan)
        print("")
        var trial = Trial(plan)
        let listener: (([String]) -> Void)? =
            trace
            ? { lines in
                for line in lines { print(line) }
            } : nil
        let faults = trial.faults(telling: listener)
        if trace { print("") }
        for fault in faults { print(fault) }
        guard faults.isEmpty else { throw ExitCode.failure }
        print("seed \(seed): every judge is content")
    }
}
