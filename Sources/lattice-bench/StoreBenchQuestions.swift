import Foundation
import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeNode
import LatticeStore
import LatticeWire

/// Queries the store, and C for comparison.
struct BenchQuestions {
    let files: BenchFiles
    let store: Store
    let bare: Baseline
    let count: Int
    let seed: UInt64

    private static let reach = 2_000.0
    private static let limit = 20
    /// Queries before the measurement, which fill the caches.
    private static let warmUp = 300

    /// Queries in the city by the store and by C in turns; then the plain query in C at the same places, and a request
    /// to a node.
    func near(_ name: String, now: WallTime) async throws {
        let centres = centres()
        var (ours, theirs): ([Double], [Double]) = ([], [])
        var differing = 0
        for centre in centres {
            let search = NearSearch(
                kind: .post, centre: centre, reachMetres: Self.reach, now: now, limit: Self.limit)
            let start = seconds()
            let found = try await store.items.near(search)
            let middle = seconds()
            let many = try bare.near(centre, metres: Self.reach, now: now, limit: Self.limit)
            ours.append(middle - start)
            theirs.append(seconds() - middle)
            let isSame =
                many == found.count
                && zip(bare.metres(many), found).allSatisfy { abs($0 - $1.metres) < 0.11 }
            if !isSame { differing += 1 }
        }
        let (our, their) = (counted(ours), counted(theirs))
        let plain = try plain(centres, now: now)
        let asked = try await asked(centres, now: now)
        try report([
            "bench": "store-\(name)", "queries": count, "differing": differing,
            "p50_us": rounded(our.median * 1e6), "p99_us": rounded(our.percentile(99) * 1e6),
            "c_p50_us": rounded(their.median * 1e6), "c_p99_us": rounded(their.percentile(99) * 1e6),
            "ratio_p50": rounded(our.median / their.median),
            "ratio_p99": rounded(our.percentile(99) / their.percentile(99)),
            "c_plain_p50_us": rounded(plain.median * 1e6), "c_plain_p99_us": rounded(plain.percentile(99) * 1e6),
            "request_p50_us": rounded(asked.median * 1e6), "request_p99_us": rounded(asked.percentile(99) * 1e6),
        ])
    }

    private func centres() -> [Coordinate] {
        var generator = SeededGenerator(seed: seed &+ 77)
        return (0..<Self.warmUp + count).compactMap { _ in BenchPosts.inCity(&generator) }
    }

    private func counted(_ times: [Double]) -> Sample {
        Sample(Array(times.dropFirst(Self.warmUp)))
    }

    /// On a connection of its own, whose cache the other query has not filled.
    private func plain(_ centres: [Coordinate], now: WallTime) throws -> Sample {
        let bare = try files.bare()
        return counted(
            try centres.map { centre in
                let start = seconds()
                _ = try bare.near(centre, metres: Self.reach, now: now, limit: Self.limit, isPlain: true)
                return seconds() - start
            })
    }

    /// The complete page that a front gets, with short ids and visibility.
    private func asked(_ centres: [Coordinate], now: WallTime) async throws -> Sample {
        let wall = Wall(store: store, identity: BenchPosts.owner, name: try PeerName("owner"))
        var times: [Double] = []
        for centre in centres {
            let query = NearQuery(.posts, centre: centre, radius: Self.reach, page: PageRequest(limit: Self.limit))
            let start = seconds()
            _ = try await wall.perform(query, at: now)
            times.append(seconds() - start)
        }
        return counted(times)
    }

    func lists() async throws {
        try await measure("timeline") { _ in
            try await store.timeline.posts(at: BenchPosts.now, limit: Self.limit).count
        }
        try await measure("activity") { _ in
            try await store.timeline.activity(at: BenchPosts.now, limit: Self.limit).count
        }
        let words = BenchWords(seed: seed)
        for (name, isNearestFirst) in [("newest", false), ("nearest", true)] {
            try await measure("search-\(name)") { generator in
                try await search(words.word(&generator), isNearestFirst, BenchPosts.inCity(&generator))
            }
            // Far from everything, where even a common word is rare.
            try await measure("search-\(name)-sparse") { generator in
                try await search(words.word(&generator), isNearestFirst, Self.nowhere)
            }
            // The most common prefixes and words, alone and together.
            try await measure("search-\(name)-common") { generator in
                try await search(words.common(&generator), isNearestFirst, BenchPosts.inCity(&generator))
            }
            try await measure("search-\(name)-common-sparse") { generator in
                try await search(words.common(&generator), isNearestFirst, Self.nowhere)
            }
        }
    }

    private static let nowhere = Coordinate(latitudeE7: -480_000_000, longitudeE7: -1_230_000_000)

    private func search(_ words: String, _ isNearestFirst: Bool, _ position: Coordinate?) async throws -> Int {
        try await store.items.search(
            WordSearch(
                words: words, isNearestFirst: isNearestFirst, position: position, readableMetres: Self.reach,
                now: BenchPosts.now, limit: Self.limit)
        ).count
    }

    private func measure(_ name: String, _ ask: (inout SeededGenerator) async throws -> Int) async throws {
        var generator = SeededGenerator(seed: seed &+ 99)
        var (times, work): ([Double], [Double]) = ([], [])
        var found = 0
        for number in 0..<count / 4 + 20 {
            let (start, worked) = (seconds(), processorSeconds())
            let many = try await ask(&generator)
            if number < 20 { continue }
            times.append(seconds() - start)
            work.append(processorSeconds() - worked)
            found += many
        }
        let (sample, processor) = (Sample(times), Sample(work))
        try report([
            "bench": "store-\(name)", "queries": times.count, "found": found,
            "p50_us": rounded(sample.median * 1e6), "p99_us": rounded(sample.percentile(99) * 1e6),
            "worst_us": rounded(sample.worst * 1e6), "processor_p99_us": rounded(processor.percentile(99) * 1e6),
            "processor_worst_us": rounded(processor.worst * 1e6),
        ])
    }
}
