import ArgumentParser

/// How peers come to hold the same.
struct SyncBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Finding out what either of two peers lacks.")

    @Flag(help: "Sets in memory, compared by the lines of the protocol.")
    var set = false

    @Option(help: "How many items.")
    var items = 1_000_000

    @Option(help: "Each figure is the best of so many.")
    var rounds = 5

    @Option(help: "What all chance comes from.")
    var seed: UInt64 = 1

    func validate() throws {
        guard set else { throw ValidationError("Say what to measure: --set.") }
    }

    func run() throws {
        var bench = try SyncSetBench(items: items, rounds: rounds, seed: seed)
        try bench.run()
    }
}
