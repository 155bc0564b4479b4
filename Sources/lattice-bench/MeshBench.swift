import ArgumentParser
import Foundation

/// Messages between peers in processes of their own, compared with C that does the least necessary.
struct MeshBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mesh",
        abstract: "Latency and throughput, direct and relayed, beside libsodium and TCP in C.",
        subcommands: [MeshPeer.self])

    @Option(help: "Kind of message: signed or raw.")
    var mode = MeshMode.signed

    @Option(help: "Bytes of a message, with its signature.")
    var bytes = 256

    @Option(help: "Rounds, in turn with C.")
    var rounds = 3

    @Option(help: "Number of processors to pin everything to.")
    var cpus = 1

    @Option(help: "Messages in a stream.")
    var count = 20_000

    @Option(help: "Round trips.")
    var pings = 2_000

    @Flag(help: "Each peer stores the lines on disk.")
    var store = false

    static let readers = 8
    static let dials = 20
    static let discoveries = 8

    func run() throws {
        guard (96...1_024).contains(bytes) else { throw ValidationError("--bytes must be from 96 to 1024") }
        guard rounds > 0, cpus > 0, count >= 100, pings >= 100 else {
            throw ValidationError("--rounds and --cpus must be at least 1, --count and --pings at least 100")
        }
        signal(SIGPIPE, SIG_IGN)
        try MeshLimits.pin(to: cpus)
        try withScratch { folder in
            var tally = Tally()
            let limits = MeshLimits(bytes: bytes, empty: try EmptyProgram.plain(in: folder))
            for round in 0..<rounds {
                let run = MeshRun(plan: self, limits: limits, folder: store ? folder : nil, round)
                try run.pair(&tally)
                try run.discovery(&tally)
                try run.chain(&tally)
                try run.fanOut(&tally)
            }
            try tally.report([
                "bench": "mesh", "mode": mode.rawValue, "bytes": bytes, "rounds": rounds, "cpus": cpus, "count": count,
                "store": store,
            ])
        }
    }
}
