import ArgumentParser
import CBaseline
import Foundation

/// What the library takes beside the node that it is made of, and beside C.
struct LibraryBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Messages between two sessions, and how fast sessions connect.",
        discussion: """
            All peers are in one process. The limit of reliable messages is C that writes the same messages to another \
            process over TCP; beside it C that seals each, the node's own data path, and its streams, which promise what a \
            message does. The limit of the time to connect is the node's own. At last reliable messages are sent where packets are \
            lost, beside the same C: in a network namespace, which needs root, iproute2 and nft.
            """)

    @Option(help: "Rounds, in turn.")
    var rounds = 3

    @Option(help: "Small messages, of 256 bytes each.")
    var count = 100_000

    @Option(help: "Megabytes in large messages, of 60,000 bytes each.")
    var megabytes = 200

    @Option(help: "Peers in the mesh of many.")
    var peers = 64

    @Option(help: "Percent of the packets that are lost for the last figures; 0 leaves these out.")
    var loss = 1

    @Flag(help: .hidden)
    var isLossy = false

    /// Seconds for which unreliable messages are sent.
    private static let duration = 2.0
    private static let largeBytes = 60_000
    private static let datagramBytes = [64, 8_192]
    private static let connects = 10

    func validate() throws {
        guard rounds > 0, count >= 100, (1...10_000).contains(megabytes), (2...256).contains(peers),
            (0...50).contains(loss)
        else {
            throw ValidationError(
                """
                --rounds must be at least 1, --count at least 100, --megabytes from 1 to 10000, --peers from 2 to 256, \
                --loss from 0 to 50.
                """
            )
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        for (bytes, count) in [(256, count), (Self.largeBytes, megabytes * 1_000_000 / Self.largeBytes)] {
            try await reliably(bytes, count)
        }
        if isLossy { return }
        for bytes in Self.datagramBytes { try await unreliably(bytes) }
        try await connect()
        try await mesh()
        if loss > 0 { try lossily() }
    }

    private func reliably(_ bytes: Int, _ count: Int) async throws {
        var tally = Tally()
        for _ in 0..<rounds {
            let bare = try inC(bytes, count, isSealed: false)
            let (start, work) = (processorSeconds(), Double(count) * 1e-6)
            let taken = try await LibrarySessions.reliably(bytes: bytes, count: count)
            tally.add("cpu_us_per_msg", (processorSeconds() - start) / work)
            tally.add(rate: "msgs_per_s", Double(count) / taken, limit: Double(count) / bare)
            tally.add("mb_per_s", Double(count * bytes) / taken / 1e6)
            let middle = processorSeconds()
            let streams = try await LibraryNodes.stream(bytes: bytes, count: count)
            tally.add("node_streams_cpu_us_per_msg", (processorSeconds() - middle) / work)
            let others = [
                ("c_sealed", try inC(bytes, count, isSealed: true)), ("node_streams", streams),
                ("node_data", try await LibraryNodes.data(bytes: bytes, count: count)),
            ]
            for (name, other) in others {
                tally.add("\(name)_msgs_per_s", Double(count) / other)
                tally.add("of_\(name)", other / taken)
            }
        }
        try tally.report([
            "bench": "library", "mode": "reliable", "bytes": bytes, "count": count, "rounds": rounds,
            "loss_percent": isLossy ? loss : 0,
        ])
    }

    private func inC(_ bytes: Int, _ count: Int, isSealed: Bool) throws -> Double {
        let taken = baseline_messages_seconds(Int32(bytes), Int32(count), isSealed ? 1 : 0)
        guard taken > 0 else { throw BenchError.limitFailed }
        return taken
    }

    private func unreliably(_ bytes: Int) async throws {
        var tally = Tally()
        for _ in 0..<rounds {
            let bare = Double(count) / (try inC(bytes, count, isSealed: false))
            let rates = try await LibrarySessions.unreliably(bytes: bytes, duration: Self.duration)
            tally.add(rate: "msgs_per_s", rates.came, limit: bare)
            tally.add("mb_per_s", rates.came * Double(bytes) / 1e6)
            tally.add("sent_per_s", rates.sent)
            tally.add("dropped_share", rates.dropped)
        }
        try tally.report(["bench": "library", "mode": "unreliable", "bytes": bytes, "rounds": rounds])
    }

    private func connect() async throws {
        var tally = Tally()
        for _ in 0..<rounds * Self.connects {
            let limit = try await LibraryNodes.connect()
            tally.add(cost: "connect_ms", try await LibrarySessions.connect() * 1e3, limit: limit * 1e3)
        }
        try tally.report(["bench": "library", "mode": "connect", "runs": rounds * Self.connects])
    }

    private func mesh() async throws {
        var tally = Tally()
        for round in 0..<rounds {
            let mesh = try await LibrarySessions.mesh(peers)
            tally.add("all_connected_s", mesh.seconds)
            // Later ones use the memory of those before.
            if round == 0 { tally.add("kb_each", mesh.kilobytes) }
        }
        try tally.report(["bench": "library", "mode": "mesh", "peers": peers, "rounds": rounds])
    }
}
