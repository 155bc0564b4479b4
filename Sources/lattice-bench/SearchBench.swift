import ArgumentParser
import Foundation
import GRDB
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

/// Searches for words of stored lines, and for the same words in a bare FTS5 table of the same texts.
struct SearchBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Time of a search among stored chat lines, beside a bare FTS5 table.")

    @Option(help: "Number of lines.")
    var lines = 1_000_000

    @Option(help: "Number of searches of each kind.")
    var searches = 1_000

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    private static let pageSize = 20
    private static let batch = 4_096

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-search-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let store = try Store(
            path: folder.appending(path: "lines.sqlite").path, owner: BenchPosts.owner.peer,
            quota: StoreQuota(bytes: lines * 4_096, authorBytes: lines * 4_096))
        let bare = try DatabaseQueue(path: folder.appending(path: "bare.sqlite").path)
        try await bare.write { database in
            try database.execute(
                sql: """
                    CREATE VIRTUAL TABLE bare USING fts5 (
                      text, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '3')
                    """)
        }
        let texts = try await fill(store, bare)
        let began = seconds()
        try await store.lines.catchUp()
        let filling = seconds() - began
        var generator = SeededGenerator(seed: seed)
        let queries = (0..<searches).map { _ in query(texts, &generator) }
        let stored = try await times(queries) { words in
            let found = try await store.lines.publicLines(
                with: words, in: nil, before: nil, limit: Self.pageSize, at: BenchPosts.filled)
            return found.lines.count
        }
        let plain = try await times(queries) { words in
            try await bare.read { database in
                let terms = words.split(separator: " ").map { "\"\($0)\"" }.joined(separator: " AND ") + "*"
                let sql = "SELECT rowid FROM bare WHERE bare MATCH ? ORDER BY rowid DESC LIMIT ?"
                return try Int64.fetchAll(database, sql: sql, arguments: [terms, Self.pageSize]).count
            }
        }
        try store.close()
        try report([
            "bench": "search", "lines": lines, "searches": searches,
            "fill_us_a_line": rounded(filling / Double(lines) * 1e6),
            "found": stored.found, "bare_found": plain.found,
            "p50_ms": rounded(stored.times.median), "p99_ms": rounded(stored.times.percentile(99)),
            "worst_ms": rounded(stored.times.worst), "bare_p50_ms": rounded(plain.times.median),
            "bare_p99_ms": rounded(plain.times.percentile(99)), "bare_worst_ms": rounded(plain.times.worst),
        ])
    }

    /// - Returns: some of the texts, to search for their words.
    private func fill(_ store: Store, _ bare: DatabaseQueue) async throws -> [String] {
        let source = BenchLines(source: try BenchPosts(seed: seed), count: lines, room: Array("#park".utf8))
        var some: [String] = []
        for first in stride(from: 0, to: lines, by: Self.batch) {
            let records = source.records(first..<min(first + Self.batch, lines))
            _ = try await store.insert(records, at: BenchPosts.filled)
            let texts = try records.map { try ChatLine(decoding: $0.record.body).text }
            some += texts.prefix(16)
            try await bare.write { database in
                let insert = try database.makeStatement(sql: "INSERT INTO bare (rowid, text) VALUES (?, ?)")
                for (offset, text) in texts.enumerated() {
                    try insert.execute(arguments: [first + offset + 1, text])
                }
            }
        }
        return some
    }

    /// One to three neighbouring words of some line.
    private func query(_ texts: [String], _ generator: inout SeededGenerator) -> String {
        let text = texts[Int.random(in: 0..<texts.count, using: &generator)]
        let words = text.split { !$0.isLetter && !$0.isNumber }
        guard !words.isEmpty else { return "water" }
        let start = Int.random(in: 0..<words.count, using: &generator)
        return words[start...].prefix(Int.random(in: 1...3, using: &generator)).joined(separator: " ")
    }

    private func times(
        _ queries: [String], _ search: (String) async throws -> Int
    ) async throws -> (times: Sample, found: Int) {
        var (times, found): ([Double], Int) = ([], 0)
        for words in queries {
            let began = seconds()
            found += try await search(words)
            times.append((seconds() - began) * 1e3)
        }
        return (Sample(times), found)
    }
}
