import GRDB

/// Stored totals that need no counting: cheap enough to read every few seconds.
package struct StoreTotals: Hashable, Sendable {
    package let kinds: [StoreFigures.Kind]
    package let fileBytes: Int
    /// Since the store was created, like `evicted`.
    package let expired: Int
    package let evicted: Int

    init(in database: Database) throws {
        kinds = try database.all(
            "SELECT kind, sum(records), sum(bytes) FROM kind_here GROUP BY kind ORDER BY kind", []
        ) { StoreFigures.Kind(kind: UInt64(bitPattern: $0.int(0)), records: Int($0.int(1)), bytes: Int($0.int(2))) }
        func number(_ sql: String) throws -> Int64 { try database.one(sql, []) { $0.int(0) } ?? 0 }
        fileBytes = Int(try number("PRAGMA page_count") * number("PRAGMA page_size"))
        expired = try StoredSettings.count(.expired, in: database)
        evicted = try StoredSettings.count(.evicted, in: database)
    }
}
