import ArgumentParser

struct SyncBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Reconcile two sets: find what each side lacks.")

    @Flag(help: "Reconcile two sets in memory.")
    var set = false

    @Option(help: "Number of items.")
    var items = 1_000_000

    @Option(help: "Rounds; each figure is the best of them.")
    var rounds = 5

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    func validate() throws {
        guard set else { throw ValidationError("Add --set; nothing else can be measured yet.") }
    }

    func run() throws {
        var bench = try SyncSetBench(items: items, rounds: rounds, seed: seed)
        try bench.run()
    }
}
