import ArgumentParser
import Foundation
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire

/// Opens a store and queries it, and does nothing else: measures the cost of a start and its memory.
struct StoreProbe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Open a store and query it; used by `store`.",
        shouldDisplay: false)

    @Argument(help: "Path of the store.")
    var path: String

    @Option(help: "Number of queries.")
    var queries = 200

    func run() async throws {
        let start = seconds()
        let store = try Store(path: path, owner: BenchPosts.owner.peer)
        var generator = SeededGenerator(seed: 5)
        let words = BenchWords(seed: 1)
        func ask() async throws {
            guard let centre = BenchPosts.inCity(&generator) else { return }
            _ = try await store.items.near(
                NearSearch(kind: .post, centre: centre, reachMetres: 2_000, now: BenchPosts.now))
        }
        try await ask()
        let first = seconds() - start
        for _ in 0..<queries {
            try await ask()
            _ = try await store.timeline.posts(at: BenchPosts.now, limit: 20)
            _ = try await store.items.search(
                WordSearch(
                    words: words.word(&generator), position: BenchPosts.inCity(&generator), readableMetres: 2_000,
                    now: BenchPosts.now))
        }
        try report([
            "bench": "store-start", "open_and_first_answer_ms": rounded(first * 1_000),
            "peak_rss_kb": try peakMemory(of: "self"),
        ])
    }
}
