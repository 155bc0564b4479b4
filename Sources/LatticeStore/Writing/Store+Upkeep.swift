import GRDB
package import LatticeCore
import LatticeWire

/// What is in a store.
package struct StoreStats: Hashable, Sendable {
    package struct Kind: Hashable, Sendable {
        /// 0 for all unknown kinds together.
        package let kind: UInt64
        package let records: Int
        package let bytes: Int
    }

    /// In the order of their numbers.
    package let kinds: [Kind]
    package let records: Int
    /// As counted against the quota.
    package let bytes: Int
    /// Of the file, its free pages included.
    package let fileBytes: Int
    package let peers: Int
    /// Own records that nobody has confirmed.
    package let waiting: Int
    /// Over, and not yet removed.
    package let overdue: Int
    /// Ever removed because their time was over.
    package let expired: Int
    /// Ever removed because there was no room.
    package let evicted: Int
    /// Of what is here the date of the oldest and the newest.
    package let oldest: WallTime?
    package let newest: WallTime?
}

extension Store {
    /// Records that one call of `expire` removes at most, so that no writer waits long.
    package static let expirePortion = 1_000

    /// Removes records whose time is over, at most `expirePortion` of them.
    ///
    /// - Returns: how many; if that is the portion there may be more.
    package func expire(at wall: WallTime) async throws(StoreError) -> Int {
        let (owner, quota) = (owner, quota)
        let isDue = try await read { database in
            try database.one("SELECT 1 FROM record WHERE expires <= ? LIMIT 1", [.int(wall.milliseconds)]) { _ in true }
        }
        guard isDue == true else { return 0 }
        return try await write { database in
            let batch = try Batch(database, owner: owner, at: wall)
            let due = try database.all(
                "SELECT seq FROM record WHERE expires <= ? ORDER BY expires, seq LIMIT ?",
                [.int(wall.milliseconds), .int(Int64(Self.expirePortion))]
            ) { $0.int(0) }
            var removed = 0
            for seq in due {
                // Read anew: one that went before may have changed it.
                guard let row = try batch.row(at: seq), row.expires <= wall.milliseconds else { continue }
                try batch.remove(row)
                removed += 1
            }
            _ = try batch.finish(quota)
            try Settings.add(removed, to: .expired, in: database)
            return removed
        }
    }

    package func stats(at wall: WallTime) async throws(StoreError) -> StoreStats {
        let owner = owner
        return try await read { database in
            let kinds = try database.all(
                "SELECT kind, sum(records), sum(bytes) FROM usage_kind GROUP BY kind ORDER BY kind", []
            ) { StoreStats.Kind(kind: UInt64(bitPattern: $0.int(0)), records: Int($0.int(1)), bytes: Int($0.int(2))) }
            func number(_ sql: String, _ values: [Bound] = []) throws -> Int64? {
                try database.one(sql, values) { $0.optionalInt(0) } ?? nil
            }
            let pages = try number("PRAGMA page_count") ?? 0
            let pageBytes = try number("PRAGMA page_size") ?? 0
            func date(_ order: String) throws -> WallTime? {
                try (0...2).compactMap { try number("SELECT \(order)(date) FROM record WHERE class = \($0)") }
                    .map(WallTime.init).reduce(nil) { found, date in
                        found.map { order == "min" ? min($0, date) : max($0, date) } ?? date
                    }
            }
            return StoreStats(
                kinds: kinds, records: kinds.map(\.records).reduce(0, +), bytes: kinds.map(\.bytes).reduce(0, +),
                fileBytes: Int(pages * pageBytes), peers: Int(try number("SELECT count(*) FROM peer") ?? 0),
                waiting: Int(
                    try number(
                        """
                        SELECT count(*) FROM outbox JOIN record ON record.seq = outbox.record
                        WHERE author = (SELECT peer.seq FROM peer WHERE key = ?)
                        """, [.key(owner.key)]) ?? 0),
                overdue: Int(
                    try number("SELECT count(*) FROM record WHERE expires <= ?", [.int(wall.milliseconds)]) ?? 0),
                expired: try Settings.count(.expired, in: database),
                evicted: try Settings.count(.evicted, in: database),
                oldest: try date("min"), newest: try date("max"))
        }
    }
}
