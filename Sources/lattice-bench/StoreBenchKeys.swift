import Foundation
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

/// Listing the keys of the store, and the history of a room with very many lines.
struct BenchKeys {
    let files: BenchFiles
    let posts: Int
    let source: BenchPosts

    private static let rounds = 5
    private static let pages = 2_000
    private static let lines = 50
    private static let room = Array("#park".utf8)
    private static let batch = 4_000

    /// All keys, as they are loaded at the start.
    func keys(of store: Store) async throws {
        var taken: [Double] = []
        let count = KeyCount()
        for _ in 0..<Self.rounds {
            count.reset()
            let start = seconds()
            _ = try await store.catalogue.eachKey { count.add($0.count) }
            taken.append(seconds() - start)
        }
        let sample = Sample(taken)
        try report([
            "bench": "store-keys", "keys": count.value, "p50_ms": rounded(sample.median * 1_000),
            "worst_ms": rounded(sample.worst * 1_000),
        ])
    }

    /// As many lines as there are posts, all in one room; reads pages at its end and anywhere.
    func history() async throws {
        let fresh = BenchFiles(folder: files.folder.appending(path: "history"))
        try FileManager.default.createDirectory(at: fresh.folder, withIntermediateDirectories: true)
        let store = try Store(
            path: fresh.storePath, owner: BenchPosts.owner.peer, quota: StoreQuota(bytes: 1 << 34))
        let lines = BenchLines(source: source, count: posts, room: Self.room)
        var ids: [RecordID] = []
        for first in stride(from: 0, to: posts, by: Self.batch) {
            let batch = lines.records(first..<min(first + Self.batch, posts))
            ids += batch.map(\.id)
            _ = try await store.insert(batch, at: BenchPosts.filled)
        }
        var generator = SeededGenerator(seed: source.seed)
        var (last, anywhere): ([Double], [Double]) = ([], [])
        for _ in 0..<Self.pages {
            last.append(try await page(of: store, before: nil))
            anywhere.append(try await page(of: store, before: ids.randomElement(using: &generator)))
        }
        let (end, middle) = (Sample(last), Sample(anywhere))
        try report([
            "bench": "store-history", "lines": posts, "page": Self.lines, "last_p50_us": rounded(end.median * 1e6),
            "last_p99_us": rounded(end.percentile(99) * 1e6), "before_p50_us": rounded(middle.median * 1e6),
            "before_p99_us": rounded(middle.percentile(99) * 1e6),
        ])
        let start = seconds()
        let keys = try await store.catalogue.keys(ofRoom: Self.room, since: HybridTime(rawValue: 0))
        try report([
            "bench": "store-room-keys", "keys": keys.count, "taken_ms": rounded((seconds() - start) * 1_000),
        ])
        try store.close()
        try FileManager.default.removeItem(at: fresh.folder)
    }

    private func page(of store: Store, before: RecordID?) async throws -> Double {
        let start = seconds()
        _ = try await store.history.lines(of: Self.room, before: before, limit: Self.lines, at: BenchPosts.now)
        return seconds() - start
    }
}

// Safety: one thread at a time adds; readers wait for it to end.
private final class KeyCount: @unchecked Sendable {
    private(set) var value = 0

    func reset() {
        value = 0
    }

    func add(_ count: Int) {
        value += count
    }
}
