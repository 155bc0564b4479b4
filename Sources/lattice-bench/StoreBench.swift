import ArgumentParser
import Foundation
import LatticeCrypto
import LatticeStore

/// The store and plain SQLite in C in turns, with the same posts and the same queries.
struct StoreBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Queries and inserts of the store, beside plain SQLite in C.",
        subcommands: [StoreProbe.self, StoreLinesBench.self])

    @Option(help: "Number of posts.")
    var posts = 1_000_000

    @Option(help: "Queries of each kind.")
    var queries = 2_000

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    @Option(help: "A folder for the files; existing ones are reused.")
    var folder: String?

    @Option(help: "Measure only this: near, lists, keys, history, verify, insert, start or chat; repeatable.")
    var only: [Part] = []

    enum Part: String, CaseIterable, ExpressibleByArgument {
        case near
        case lists
        case keys
        case history
        case verify
        case insert
        case start
        case chat
    }

    @OptionGroup var target: TargetOptions

    func run() async throws {
        if let folder {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try await run(in: URL(filePath: folder))
        } else {
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "lattice-store-bench-\(ProcessInfo.processInfo.processIdentifier)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
            try await run(in: folder)
        }
    }

    private func run(in folder: URL) async throws {
        let files = BenchFiles(folder: folder)
        let filling = BenchFill(files: files, posts: posts, source: try BenchPosts(seed: seed))
        if !files.areThere { try await filling.fill() }
        let store = try files.store()
        let bare = try files.bare()
        try files.readThrough()
        let asking = BenchQuestions(files: files, store: store, bare: bare, count: queries, seed: seed)
        for part in only.isEmpty ? Part.allCases : only {
            switch part {
            case .near:
                if !files.areGone { try await asking.near("near", now: BenchPosts.now) }
                try await filling.takeAway(from: store, and: bare)
                try await asking.near("near-10000-gone", now: BenchPosts.later)
            case .lists: try await asking.lists()
            case .keys: try await BenchKeys(files: files, posts: posts, source: filling.source).keys(of: store)
            case .history: try await BenchKeys(files: files, posts: posts, source: filling.source).history()
            case .verify: try filling.verify()
            case .insert: try await filling.insert()
            case .start: try start(files)
            case .chat: try chat(files)
            }
        }
    }

    /// Runs in a process of its own, so that only the store's memory is measured.
    private func start(_ files: BenchFiles) throws {
        for _ in 0..<3 {
            let process = Process()
            process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["store", "probe", files.storePath]
            try process.run()
            process.waitUntilExit()
        }
    }

    /// Starts the program as its owner does, and measures until it is ready.
    private func chat(_ files: BenchFiles) throws {
        let folder = files.folder
        let starts = try (0..<Self.starts).map { _ in
            let chat = try ChatProcess(
                target.path, prefix: nil, name: folder.lastPathComponent,
                directory: folder.deletingLastPathComponent(), ["--discovery", "off"])
            try chat.start()
            defer { chat.end() }
            try chat.wait { $0["event"] as? String == "ready" }
            return (taken: seconds() - chat.startedAt, memory: try peakMemory(of: "\(chat.identifier)"))
        }
        let sample = Sample(starts.map(\.taken))
        try report([
            "bench": "store-chat-start", "starts": starts.count, "ready_p50_ms": rounded(sample.median * 1_000),
            "ready_worst_ms": rounded(sample.worst * 1_000), "peak_rss_kb": starts.map(\.memory).max() ?? 0,
        ])
    }

    private static let starts = 10
}

/// Peak memory of a process, in kB.
func peakMemory(of process: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return Int(peak.filter(\.isNumber)) ?? 0
}

/// The two files: the store's and plain SQLite's. The folder also works as `lattice --data-dir`.
struct BenchFiles {
    let folder: URL

    var storePath: String { folder.appending(path: "lattice.sqlite").path }
    private var barePath: String { folder.appending(path: "bare.sqlite").path }

    var areThere: Bool {
        FileManager.default.fileExists(atPath: storePath) && FileManager.default.fileExists(atPath: barePath)
    }

    func writeIdentity() throws {
        let file = folder.appending(path: "identity")
        if FileManager.default.fileExists(atPath: file.path) { return }
        try IdentityFile(path: file.path).create(BenchPosts.owner)
    }

    /// Whether the ten thousand posts are removed.
    var areGone: Bool { FileManager.default.fileExists(atPath: gonePath) }
    private var gonePath: String { folder.appending(path: "gone").path }

    func noteGone() {
        _ = FileManager.default.createFile(atPath: gonePath, contents: nil)
    }

    /// Loads both files into the page cache, whatever the system did before.
    func readThrough() throws {
        for path in [storePath, barePath] {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            while let some = try file.read(upToCount: 1 << 20), !some.isEmpty {}
            try file.close()
        }
    }

    func store() throws -> Store {
        try Store(path: storePath, owner: BenchPosts.owner.peer)
    }

    func bare() throws -> Baseline {
        try Baseline(bare: barePath)
    }
}
