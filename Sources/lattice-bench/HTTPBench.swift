import ArgumentParser
import Foundation
import LatticeCore
import LatticeStore
import LatticeWire

/// Requests and streams of browsers to a node with many posts, compared with a plain Hummingbird handler that sends as
/// many bytes.
struct HTTPBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http", abstract: "HTTP answers and streams of a node with many posts, beside Hummingbird.",
        subcommands: [HTTPBareCommand.self])

    @OptionGroup var target: TargetOptions

    @Option(help: "Number of posts.")
    var posts = 1_000_000

    @Option(help: "Queries, each for another place, on one connection and on many.")
    var queries = 8_000

    @Option(help: "Open streams.")
    var streams = 500

    @Option(help: "Lines per second.")
    var rate = 20

    @Option(help: "Seconds for each phase.")
    var duration = 10

    @Option(help: "Bytes of each line.")
    var bytes = 100

    @Option(help: "A folder for the posts; existing ones are reused until they expire.")
    var folder: String?

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    private static let room = "#load"
    private static let connections = [1, 8]

    func validate() throws {
        guard posts > 0, queries > 0 else { throw ValidationError("--posts and --queries must be at least 1") }
        guard (1...1_024).contains(streams) else { throw ValidationError("--streams must be from 1 to 1024") }
        guard rate > 0, duration > 0 else { throw ValidationError("--rate and --duration must be greater than 0") }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        try Self.allowSockets()
        if let folder {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try await run(in: URL(filePath: folder))
        } else {
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "lattice-http-bench-\(ProcessInfo.processInfo.processIdentifier)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
            try await run(in: folder)
        }
    }

    private func run(in folder: URL) async throws {
        let files = BenchFiles(folder: folder)
        let count = try await fill(files)
        try files.readThrough()
        let node = try NodeProcess(
            target.path, directory: folder, rooms: [Self.room], takesIRC: false, takesHTTP: true)
        defer { node.end() }
        let bare = try HTTPBareProcess()
        defer { bare.end() }
        try measure(node, bare, posts: count)
    }

    /// - Returns: the number of posts.
    private func fill(_ files: BenchFiles) async throws -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let now = WallTime(milliseconds: Int64(time.tv_sec) * 1_000)
        if !files.areThere {
            let source = try BenchPosts(seed: seed, written: now)
            try await BenchFill(files: files, posts: posts, source: source).fill()
        }
        let stats = try await files.store().upkeep.stats(at: now)
        let count = stats.kinds.first { $0.kind == RecordKind.post.rawValue }?.records ?? 0
        guard count >= posts else {
            throw BenchError("the folder holds \(count) posts; give another, or --posts \(count)")
        }
        return count
    }

    private func measure(_ node: NodeProcess, _ bare: HTTPBareProcess, posts: Int) throws {
        guard let port = node.httpPort else { throw BenchError("the node lets no browser in") }
        var near = HTTPNearBench(
            node: (port, node.cost), bare: (bare.port, bare.cost), centres: seed, count: queries)
        let items = try near.warmUp()
        guard items > 0 else { throw BenchError("no posts are found: they live for days; give another folder") }
        for connections in Self.connections {
            let figures = try near.measure(connections: connections)
            try report(
                ["bench": "http-near", "posts": posts, "connections": connections, "queries": queries, "items": items]
                    .merging(figures) { ours, _ in ours })
        }
        let lines = HTTPStreamsBench(streams: streams, rate: rate, duration: duration)
        let speaker = try SocketConnection(node.socket)
        let eventBytes = try lines.eventBytes(port: port) {
            try speaker.send(node.saying(text(at: 0), in: Self.room))
        }
        let ours = try lines.measure(
            HTTPMeasured(port: port, cost: node.cost, stream: "/v1/stream") {
                try speaker.send(node.saying(text(at: $0), in: Self.room))
            }, questions: near.questions)
        let theirs = try lines.measure(
            HTTPMeasured(port: bare.port, cost: bare.cost, stream: HTTPBareServer.stream) {
                try bare.say(text(at: $0, bytes: eventBytes - 1))
            }, questions: near.bareQuestions)
        try lines.tell(ours, beside: theirs, eventBytes: eventBytes)
    }

    /// A line that contains the time at which it was said.
    private func text(at nanoseconds: UInt64, bytes: Int? = nil) -> String {
        let stamp = "@\(nanoseconds)@"
        return stamp + String(repeating: "x", count: max(0, (bytes ?? self.bytes) - stamp.count))
    }

    /// Raises the limit of open files to its maximum: each stream needs one.
    private static func allowSockets() throws {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { throw BenchError("the limit of open sockets is unknown") }
        limit.rlim_cur = limit.rlim_max
        guard setrlimit(kind, &limit) == 0 else { throw BenchError("no more sockets are allowed") }
    }
}
