import GRDB
package import LatticeCore
import LatticeWire

package struct StoreFigures: Hashable, Sendable {
    package struct Kind: Hashable, Sendable {
        /// 0 for all unknown kinds together.
        package let kind: UInt64
        package let records: Int
        package let bytes: Int
    }

    /// In the order of their numbers.
    package let kinds: [Kind]
    package let records: Int
    /// Bytes that count against the quota.
    package let bytes: Int
    /// Size of the file, including free pages.
    package let fileBytes: Int
    package let peers: Int
    /// Own records that no peer has confirmed.
    package let waiting: Int
    /// Expired, and not yet removed.
    package let overdue: Int
    /// Removed since the store was created because they expired, or because the owner chose to keep less.
    package let expired: Int
    /// Removed since the store was created because of the quotas.
    package let evicted: Int
    /// The dates of the oldest and the newest stored record.
    package let oldest: WallTime?
    package let newest: WallTime?
}

/// Removal of what is not kept, and what the whole file is asked.
package struct StoreUpkeep: Sendable {
    let access: PersonaAccess

    /// Limit of records that one call of `expire` removes, so that no writer waits long.
    package static let expirePortion = 1_000

    /// Removes expired records and records outside the owner's rule, at most `expirePortion` of them.
    ///
    /// - Returns: the number removed; if it equals the portion, there may be more.
    package func expire(at wallTime: WallTime) async throws(StoreError) -> Int {
        let owner = access.owner
        let isDue = try await access.read { database in
            let unfiled = try database.one("SELECT 1 FROM record WHERE \(Schema.unfiled) LIMIT 1", []) { $0.int(0) }
            return try unfiled != nil || !Departures(of: owner, at: wallTime, in: database).isNothing
        }
        guard isDue else { return 0 }
        return try await access.commit { transaction in
            let database = transaction.database
            try transaction.file()
            let departures = try Departures(of: owner, at: wallTime, in: database)
            let batch = transaction.batch(at: wallTime)
            var removed = 0
            for seq in departures.overdue {
                // Read again: an earlier removal may have changed it.
                guard let row = try batch.row(at: seq), row.expires <= wallTime.milliseconds else { continue }
                try batch.remove(row)
                removed += 1
            }
            for seq in departures.unwanted.seqs {
                guard let row = try batch.row(at: seq) else { continue }
                try batch.remove(row)
                removed += 1
            }
            try departures.unwanted.store(in: database)
            try transaction.finish()
            try StoredSettings.add(removed, to: .expired, in: database)
            return removed
        }
    }

    /// When the next record expires; `nil` if the store is empty.
    package func nextExpiry() async throws(StoreError) -> WallTime? {
        try await access.read { database in
            let ends = try ["filed = 1", Schema.unfiled].compactMap { part in
                try database.one("SELECT min(expires) FROM record WHERE \(part)", []) { $0.optionalInt(0) } ?? nil
            }
            return ends.min().map(WallTime.init)
        }
    }

    /// Removes stored records of blocked authors, at most `expirePortion` of them.
    ///
    /// - Returns: the number removed; 0 if none is left.
    package func removeBlocked(at wallTime: WallTime) async throws(StoreError) -> Int {
        let authors = access.file.blocked.authors.sorted()
        guard !authors.isEmpty else { return 0 }
        let found = try await access.read { database in
            var found: [Int64] = []
            for author in authors where found.count < Self.expirePortion {
                guard let number = try database.seq(of: author) else { continue }
                found += try database.all(
                    """
                    SELECT seq FROM record WHERE filed = 1 AND author = ?1
                    UNION ALL SELECT seq FROM record WHERE \(Schema.unfiled) AND author = ?1 LIMIT ?2
                    """,
                    [.int(number), .int(Int64(Self.expirePortion - found.count))]
                ) { $0.int(0) }
            }
            return found
        }
        guard !found.isEmpty else { return 0 }
        return try await access.commit { transaction in
            let database = transaction.database
            let batch = transaction.batch(at: wallTime)
            let before = try database.one("SELECT max(number) FROM removal", []) { $0.int(0) } ?? 0
            var removed = 0
            for seq in found {
                // Read again: an earlier removal may have included it.
                guard let row = try batch.row(at: seq) else { continue }
                try batch.remove(row)
                removed += 1
            }
            try database.run("UPDATE removal SET may_return = 1 WHERE number > ?", [.int(before)])
            try transaction.finish()
            return removed
        }
    }

    package func retention() async throws(StoreError) -> StoredRetention {
        try await access.read { try StoredRetention.stored(in: $0) }
    }

    /// Excluded records are removed in portions, together with expired ones.
    package func setRetention(_ rule: StoredRetention) async throws(StoreError) {
        try await access.commit { transaction in
            try rule.store(in: transaction.database)
            transaction.state.rule = rule
        }
    }

    package func totals() async throws(StoreError) -> StoreTotals {
        try await access.read { try StoreTotals(in: $0) }
    }

    package func stats(at wallTime: WallTime) async throws(StoreError) -> StoreFigures {
        let owner = access.owner
        return try await access.read { database in
            let totals = try StoreTotals(in: database)
            func number(_ sql: String, _ values: [Bound] = []) throws -> Int64? {
                try database.one(sql, values) { $0.optionalInt(0) } ?? nil
            }
            func dates(_ order: String) throws -> [WallTime] {
                let filed = (0...2).map { "SELECT \(order)(date) FROM record WHERE filed = 1 AND class = \($0)" }
                let all = filed + ["SELECT \(order)(date) FROM record WHERE \(Schema.unfiled)"]
                return try all.compactMap { try number($0).map(WallTime.init) }
            }
            return StoreFigures(
                kinds: totals.kinds, records: totals.kinds.map(\.records).reduce(0, +),
                bytes: totals.kinds.map(\.bytes).reduce(0, +), fileBytes: totals.fileBytes,
                peers: Int(try number("SELECT count(*) FROM peer") ?? 0),
                waiting: Int(
                    try number(
                        """
                        SELECT count(*) FROM outbox CROSS JOIN record ON record.seq = outbox.record
                        WHERE author = (SELECT peer.seq FROM peer WHERE key = ?)
                        """, [.key(owner.key)]) ?? 0),
                overdue: Int(
                    try number(
                        """
                        SELECT (SELECT count(*) FROM record WHERE filed = 1 AND expires <= ?1)
                          + (SELECT count(*) FROM record WHERE \(Schema.unfiled) AND expires <= ?1)
                        """, [.int(wallTime.milliseconds)]) ?? 0),
                expired: totals.expired, evicted: totals.evicted,
                oldest: try dates("min").min(), newest: try dates("max").max())
        }
    }
}

/// The next records to remove.
private struct Departures {
    let overdue: [Int64]
    let unwanted: RuleSweep.Findings

    init(of owner: PeerID, at wallTime: WallTime, in database: Database) throws {
        overdue = try database.all(
            "SELECT seq FROM record WHERE filed = 1 AND expires <= ? ORDER BY expires, seq LIMIT ?",
            [.int(wallTime.milliseconds), .int(Int64(StoreUpkeep.expirePortion))]
        ) { $0.int(0) }
        let sweep = RuleSweep(
            rule: try StoredRetention.stored(in: database), owner: try database.seq(of: owner) ?? 0,
            now: wallTime.milliseconds
        )
        unwanted = try sweep.findings(StoreUpkeep.expirePortion - overdue.count, in: database)
    }

    var isNothing: Bool { overdue.isEmpty && unwanted.isNothing }
}
