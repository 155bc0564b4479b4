import ArgumentParser
import CBaseline
import Foundation
import LatticeCore
import LatticeCrypto
import LatticeStore

/// Memory of a peer that stores very many records and reconciles them with a neighbour.
struct KnownBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "known", abstract: "Memory of a peer that stores and reconciles a million posts.")

    @OptionGroup var target: TargetOptions

    @Option(help: "Number of posts.")
    var posts = 1_000_000

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    @Option(help: "A folder for the files; existing ones are reused.")
    var folder: String?

    func run() async throws {
        guard let folder else {
            let scratch = FileManager.default.temporaryDirectory.appending(
                path: "lattice-known-bench-\(ProcessInfo.processInfo.processIdentifier)")
            defer { _ = Result { try FileManager.default.removeItem(at: scratch) } }
            return try await run(in: scratch)
        }
        try await run(in: URL(filePath: folder))
    }

    private func run(in folder: URL) async throws {
        let full = folder.appending(path: "full")
        try FileManager.default.createDirectory(at: full, withIntermediateDirectories: true)
        if !FileManager.default.fileExists(atPath: Self.storePath(in: full)) { try await fill(full) }
        // A second peer with the same records.
        let same = folder.appending(path: "same")
        if !FileManager.default.fileExists(atPath: same.path) {
            try FileManager.default.createDirectory(at: same, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: Self.storePath(in: full), toPath: Self.storePath(in: same))
        }
        let none = try measure(folder.appending(path: "none-\(UUID().uuidString)"), comparesWith: nil)
        let alone = try measure(full, comparesWith: nil)
        let compared = try measure(full, comparesWith: same)
        let empty = try EmptyProgram.plain(in: folder)
        var tally = Tally()
        for (name, kilobytes) in [
            ("none_rss_kb", none.resident), ("alone_rss_kb", alone.resident), ("rss_kb", compared.resident),
            ("peak_rss_kb", compared.peak),
        ] { try tally.add(memory: name, Double(kilobytes), beside: empty) }
        tally.add(cost: "caught_up_ms", compared.taken * 1_000, limit: try bareComparison())
        tally.add("bytes_each", Double(compared.resident - none.resident) * 1_024 / Double(posts))
        try tally.report(compared.parts.merging(["bench": "known", "posts": posts]) { $1 })
    }

    private static func storePath(in folder: URL) -> String { folder.appending(path: "lattice.sqlite").path }

    /// Makes a data folder of the program, with all posts in its store.
    private func fill(_ folder: URL) async throws {
        try IdentityFile(path: folder.appending(path: "identity").path).create(BenchPosts.owner)
        let store = try Store(path: Self.storePath(in: folder), owner: BenchPosts.owner.peer)
        let source = try BenchPosts(seed: seed, written: Self.present)
        for first in stride(from: 0, to: posts, by: Self.batch) {
            let records = source.records(first..<min(first + Self.batch, posts), of: posts)
            _ = try await store.insert(records, at: source.written)
        }
        try store.close()
    }

    private static let batch = 1_000

    /// Milliseconds that C takes to add up as many ids and to find that two sets are equal.
    private func bareComparison() throws -> Double {
        var generator = SeededGenerator(seed: seed)
        let items = (0..<posts).compactMap { _ in SyncSetBench.item(&generator) }.sorted()
        let (first, start) = (BareSet(items), processorSeconds())
        let second = BareSet(items)
        let differences = first.differences(from: second)
        guard differences.have == 0, differences.need == 0 else { throw BenchError("two equal sets differ in C") }
        return (processorSeconds() - start) * 1_000
    }

    private static var present: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1_000)
    }

    private struct Held {
        var resident: Int
        var peak: Int
        /// From the link to the report that both stores are equal, in seconds.
        var taken: Double
        var parts: [String: Any]
    }

    /// - Parameter other: the folder of a neighbour with as many records.
    private func measure(_ folder: URL, comparesWith other: URL?) throws -> Held {
        func started(_ folder: URL, _ arguments: [String]) throws -> ChatProcess {
            let chat = try ChatProcess(
                target.path, prefix: nil, name: folder.lastPathComponent, directory: folder.deletingLastPathComponent(),
                ["--discovery", "off"] + arguments)
            try chat.start()
            return chat
        }
        let watched = try started(folder, [])
        defer { watched.end() }
        let port = try watched.wait { $0["event"] as? String == "ready" }["port"] as? Int ?? 0
        var taken = 0.0
        var neighbour: ChatProcess?
        defer { neighbour?.end() }
        if let other {
            neighbour = try started(other, ["--peer", "127.0.0.1:\(port)"])
            try watched.wait { $0["state"] as? String == "connected" }
            let start = seconds()
            try watched.wait { $0["event"] as? String == "sync" && $0["caught_up"] as? Bool == true }
            taken = seconds() - start
        }
        Thread.sleep(forTimeInterval: Self.rest)
        let cost = watched.cost
        let memory = try cost.memory()
        return Held(
            resident: memory.resident, peak: memory.peak, taken: taken,
            parts: Dictionary(uniqueKeysWithValues: cost.parts()))
    }

    /// Seconds until work that only the start needs is done.
    private static let rest = 5.0
}
