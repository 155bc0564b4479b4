import Foundation
import GRDB
package import LatticeCore
import LatticeWire

extension Store {
    /// Saves every record that verifies from a file that SQLite finds damaged into a new file at its path. The damaged file is
    /// kept beside it as `PATH.damaged-N`.
    ///
    /// No other process may have the file open.
    ///
    /// - Parameter wall: an upper bound for arrivals; the file may no longer tell when a record arrived.
    package static func salvage(
        path: String, owner: PeerID, quota: StoreQuota = StoreQuota(), at wall: WallTime,
        verify: @escaping RecordVerification
    ) async throws(StoreError) -> SalvageReport {
        let files = SalvageFiles(path: path)
        do {
            try files.clear()
            let report = SalvageReport(damagedPath: try files.freePath())
            let store = try Store(path: files.newPath, owner: owner, quota: quota)
            var salvage = Salvage(path: path, store: store, verify: verify, now: wall.milliseconds, report: report)
            try await salvage.run()
            try store.close()
            // Everything is on the disk before the damaged file is replaced.
            try files.exchange(damagedPath: report.damagedPath)
            return salvage.report
        } catch {
            throw StoreError(error, path: path)
        }
    }
}

/// Reads a damaged file in every possible way, and stores every record that verifies in a new file: first those that SQLite
/// can read, then those on pages that it cannot reach.
private struct Salvage {
    let path: String
    let store: Store
    let verify: RecordVerification
    let now: Int64
    var report: SalvageReport
    /// Ids of rows whose content is not what their author signed.
    private var failed: Set<Bytes32> = []
    /// Unconfirmed own records, if SQLite cannot read the outbox.
    private var waiting: Set<Bytes32> = []

    /// Limit of rows processed together: at most 15 MB of records.
    private static let portion = 256
    init(path: String, store: Store, verify: @escaping RecordVerification, now: Int64, report: SalvageReport) {
        self.path = path
        self.store = store
        self.verify = verify
        self.now = now
        self.report = report
    }

    mutating func run() async throws {
        // Opened before SQLite sees the file: on closing it, SQLite removes the log.
        let pages = SalvagedPages(path: path)
        let scan = SalvagedScan(pages)
        let rows = pages.hasHeader ? SalvagedRows(path: path) : nil
        defer { rows?.close() }
        var isReadWhole = pages.isEmpty
        if let rows { isReadWhole = try await keepReadable(rows, scan) }
        try await keepScattered(scan)
        try await keepSettings(rows?.settings() ?? scan.settings)
        try await keepClock(rows?.clock() ?? scan.clock)
        try await keepOutbox(rows?.outbox() ?? Array(waiting))
        try await count(rows, scan, isReadWhole: isReadWhole)
    }

    /// - Returns: whether everything could be read.
    private mutating func keepReadable(_ rows: SalvagedRows, _ scan: SalvagedScan) async throws -> Bool {
        for portion in rows {
            switch portion {
            case .success(let rows): try await keep(rows, scan)
            case .failure: return false
            }
        }
        return true
    }

    private mutating func keepScattered(_ scan: SalvagedScan) async throws {
        var rows: [SalvagedRow] = []
        for index in 0..<scan.pageCount {
            rows += scan.rows(onPage: index)
            if rows.count >= Self.portion || index == scan.pageCount - 1 {
                try await keep(rows, scan)
                rows = []
            }
        }
    }

    /// Inserts each row with its original arrival; the order does not matter.
    private mutating func keep(_ rows: [SalvagedRow], _ scan: SalvagedScan) async throws {
        for row in rows where scan.waiting.contains(row.seq) { if let id = row.id { waiting.insert(id) } }
        let rows = try await missing(rows)
        let signed = rows.indices.flatMap { index in Self.signed(rows[index]).map { (index: index, record: $0) } }
        let verified = await verify(signed.map(\.record))
        var arrivals: [(record: VerifiedRecord, seen: Int64)] = []
        var proved: Set<Int> = []
        for (record, (index, _)) in zip(verified, signed) {
            guard let record else { continue }
            proved.insert(index)
            guard !scan.erased.contains(record.id.hash) else { continue }
            let lifetime = Int64(record.record.lifetimeSeconds) * 1_000
            let created = record.record.created.wall.milliseconds
            arrivals.append((record, rows[index].arrival(created: created, lifetime: lifetime, now: now)))
        }
        failed.formUnion(rows.indices.filter { !proved.contains($0) }.compactMap { rows[$0].id })
        failed.subtract(proved.compactMap { rows[$0].id })
        try await insert(arrivals)
    }

    /// Leaves out records that the new file already has: the log has a copy of a page for each time it was written.
    private func missing(_ rows: [SalvagedRow]) async throws -> [SalvagedRow] {
        try await store.access.read { database in
            try rows.filter { row in
                guard let id = row.id else { return true }
                return try database.one("SELECT 1 FROM record WHERE id = ?", [.key(id)]) { $0.int(0) } == nil
            }
        }
    }

    private static func signed(_ row: SalvagedRow) -> [SignedRecord] {
        row.candidates.compactMap { bytes in
            do {
                return try SignedRecord(decoding: bytes[...])
            } catch {
                return nil
            }
        }
    }

    private func insert(_ arrivals: [(record: VerifiedRecord, seen: Int64)]) async throws {
        try await store.access.commit { transaction in
            let batch = transaction.batch(at: WallTime(milliseconds: 0))
            for (record, seen) in arrivals {
                batch.now = seen
                _ = try batch.insert(record)
            }
            try transaction.finish()
        }
    }

    private func keepSettings(_ settings: [String: String]) async throws {
        try await store.access.commit { transaction in
            for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
                switch Settings.Key(rawValue: key) {
                // These describe the old file; no search of the new one has begun.
                case .epoch, .swept, .aged, .opened: break
                case .keep, .evicted, .expired, nil: try Settings.set(key, value, in: transaction.database)
                }
            }
        }
    }

    private func keepClock(_ date: HybridTime?) async throws {
        // A wrong date would move all later records of the owner's into the future.
        let newest = HybridTime(wall: WallTime(milliseconds: now + OwnClock.aheadMax))
        guard let date, date <= newest else { return }
        try await store.access.commit { $0.state.pass(date) }
    }

    private func keepOutbox(_ ids: [Bytes32]) async throws {
        let owner = store.owner.key
        try await store.access.commit { transaction in
            for id in ids {
                try transaction.database.run(
                    """
                    INSERT OR IGNORE INTO outbox (record) SELECT seq FROM record
                    WHERE id = ? AND erased = 0 AND author = (SELECT seq FROM peer WHERE key = ?)
                    """, [.key(id), .key(owner)])
            }
        }
    }

    // MARK: What is lost

    private mutating func count(_ rows: SalvagedRows?, _ scan: SalvagedScan, isReadWhole: Bool) async throws {
        report.kept = try await store.access.read { database in
            try database.one("SELECT count(*) FROM record WHERE erased = 0", []) { Int($0.int(0)) } ?? 0
        }
        var lost = try await gone(failed.subtracting(scan.erased))
        report.isLossKnown = isReadWhole
        do {
            var indexed: Set<Bytes32> = []
            var last: Bytes32?
            while let ids = try rows?.ids(after: last), let end = ids.last {
                indexed.formUnion(try await gone(Set(ids).subtracting(scan.erased)))
                last = end
            }
            lost.formUnion(indexed)
            if rows != nil { report.isLossKnown = true }
        } catch is DatabaseError {
            // A bad page of the index: its ids are lost, unless the table has them.
        }
        report.lost = lost.count
    }

    /// Ids that are not in the new file, and were not deleted.
    private func gone(_ ids: Set<Bytes32>) async throws -> Set<Bytes32> {
        try await store.access.read { database in
            try ids.filter { id in
                try database.one(
                    "SELECT 1 FROM record WHERE id = ?1 OR (topic = ?1 AND kind = 11)", [.key(id)]
                ) { $0.int(0) } == nil
            }
        }
    }
}
