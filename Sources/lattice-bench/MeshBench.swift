import ArgumentParser
import Foundation

/// Messages between peers that are processes of their own, beside C that does the least that has to be done.
struct MeshBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mesh",
        abstract: "Round trips, messages a second, a relay, eight readers: beside libsodium and TCP in C.",
        subcommands: [MeshPeer.self])

    @Option(help: "How messages go: signed, or raw.")
    var mode = MeshMode.signed

    @Option(help: "Bytes of a message, signature and all.")
    var bytes = 256

    @Option(help: "How often, by turns with C.")
    var rounds = 3

    @Option(help: "To how many processors all of it is kept.")
    var cpus = 1

    @Option(help: "Messages of a stream.")
    var count = 20_000

    @Option(help: "Round trips.")
    var pings = 2_000

    @Flag(help: "Each peer keeps what is said in a store.")
    var store = false

    static let readers = 8
    static let dials = 20
    static let discoveries = 8

    func run() throws {
        guard (96...1_024).contains(bytes) else { throw ValidationError("a message has 96 to 1,024 bytes") }
        guard rounds > 0, cpus > 0, count >= 100, pings >= 100 else { throw ValidationError("that is too little") }
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
