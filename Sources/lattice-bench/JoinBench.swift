import ArgumentParser
import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode
import LatticeStore
import LatticeWire
import Logging
import Synchronization

/// A newcomer without any records, compared with C that verifies and inserts the same posts.
struct JoinBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "A new peer fetches a neighbour's store; C verifies and writes the same records.",
        subcommands: [JoinHost.self])

    @Option(help: "Number of posts.")
    var posts = 100_000

    @Option(help: "Rounds, in turn with C.")
    var rounds = 3

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    static let batch = 1_000

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "lattice-join-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let records = try BenchPosts(seed: seed).records(0..<posts, of: posts, expiring: 0)
        let batches = stride(from: 0, to: records.count, by: Self.batch).map {
            Array(records[$0..<min($0 + Self.batch, records.count)])
        }
        let hostPath = folder.appending(path: "host.sqlite").path
        let store = try Store(path: hostPath, owner: BenchPosts.owner.peer)
        for batch in batches { _ = try await store.insert(batch, at: BenchPosts.filled) }
        try store.close()
        var (joins, bares) = ([Joined](), [Double]())
        for round in 0..<rounds {
            bares.append(try pipeline(batches, path: folder.appending(path: "bare\(round).sqlite").path))
            joins.append(
                try await join(hostPath: hostPath, path: folder.appending(path: "late\(round).sqlite").path))
        }
        let durable = Sample(joins.map(\.durable)).median
        let bare = Sample(bares).median
        try report([
            "bench": "join", "posts": posts, "rounds": rounds,
            "connected_to_durable_ms": rounded(durable * 1_000),
            "connected_to_told_ms": rounded(Sample(joins.map(\.told)).median * 1_000),
            "per_s": rounded(Double(posts) / durable), "c_one_thread_per_s": rounded(Double(posts) / bare),
            "of_c": rounded(bare / durable), "cpu_s": rounded(Sample(joins.map(\.processor)).median),
            "peak_rss_kb": try peakMemory(of: "self"),
        ])
    }

    /// Verifies posts one by one and inserts them into one table with one index of cells.
    ///
    /// - Returns: the time in seconds.
    private func pipeline(_ batches: [[VerifiedRecord]], path: String) throws -> Double {
        let bare = try Baseline(bare: path)
        var taken = 0.0
        for batch in batches {
            let rows = SignedRows(batch)
            let start = seconds()
            guard rows.verified() == batch.count else { throw BenchError("libsodium and we do not agree") }
            taken += seconds() - start
        }
        return taken + (try bare.insert(batches, intoStore: false))
    }

    private struct Joined {
        /// Seconds from the link to the last record on disk, and to the report that nothing is missing.
        var durable = 0.0
        var told = 0.0
        /// Processor time of this process alone, in seconds.
        var processor = 0.0
    }

    private func join(hostPath: String, path: String) async throws -> Joined {
        let host = Process()
        let (input, output) = (Pipe(), Pipe())
        host.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        host.arguments = ["join", "host", hostPath]
        host.standardInput = input
        host.standardOutput = output
        try host.run()
        defer {
            _ = Result { try input.fileHandleForWriting.close() }
            host.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchError("the host did not start: \(line)")
        }
        let identity = Identity.generate()
        let store = try Store(path: path, owner: identity.peer)
        var configuration = try JoinHost.configuration(identity, store, name: "late")
        configuration.given = [PeerAddress(host: "127.0.0.1", port: port)]
        let node = try await Node(configuration, logger: JoinHost.logger)
        let events = await node.events()
        let watch = JoinWatch(posts: posts)
        return try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await node.run() }
            group.addTask { for await event in events { watch.heard(event) } }
            while watch.start == nil { try await Task.sleep(for: .milliseconds(1)) }
            let processor = processorSeconds()
            let start = watch.start ?? 0
            var joined = Joined()
            while joined.durable == 0 {
                try await Task.sleep(for: .milliseconds(5))
                if try await store.reconciling.groupCounts().map(\.records).reduce(0, +) >= posts {
                    joined.durable = seconds() - start
                }
            }
            joined.processor = processorSeconds() - processor
            while watch.told == nil { try await Task.sleep(for: .milliseconds(1)) }
            joined.told = (watch.told ?? 0) - start
            await node.stop()
            return joined
        }
    }
}

/// When the newcomer received which report.
private final class JoinWatch: Sendable {
    private struct Times {
        var start: Double?
        var told: Double?
    }

    private let posts: Int
    private let times = Mutex(Times())

    init(posts: Int) {
        self.posts = posts
    }

    var start: Double? { times.withLock { $0.start } }
    var told: Double? { times.withLock { $0.told } }

    func heard(_ event: NodeEvent) {
        switch event {
        case .peer(let change) where change.state == .connected: times.withLock { $0.start = seconds() }
        case .sync(let progress) where progress.isCaughtUp && progress.fetched >= posts:
            times.withLock { $0.told = seconds() }
        default: return
        }
    }
}

/// The neighbour that has everything, a process of its own until its input ends.
struct JoinHost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Serve a store until the input ends; for `join`.", shouldDisplay: false)

    @Argument(help: "Path of the store.")
    var path: String

    func run() async throws {
        let store = try Store(path: path, owner: BenchPosts.owner.peer)
        let configuration = try Self.configuration(BenchPosts.owner, store, name: "host")
        let node = try await Node(configuration, logger: Self.logger)
        await withDiscardingTaskGroup { group in
            group.addTask { await node.run() }
            let port = await node.me.port
            FileHandle.standardOutput.write(Data("\(port)\n".utf8))
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    while !FileHandle.standardInput.availableData.isEmpty {}
                    continuation.resume()
                }
            }
            await node.stop()
        }
    }

    /// The posts have fixed dates, so the clock is fixed, too.
    static func configuration(_ identity: Identity, _ store: Store, name: String) throws -> NodeConfiguration {
        var configuration = NodeConfiguration(
            identity: identity, name: try PeerName(name), rooms: [], mesh: try MeshName("bench"))
        configuration.discovery = .off
        configuration.wall = Wall(store: store, identity: identity, name: configuration.name)
        // Private messages would add to what is measured.
        configuration.hasMail = false
        configuration.machineClock = { BenchPosts.now }
        return configuration
    }

    static var logger: Logger { Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() } }
}
