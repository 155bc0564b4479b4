import GRDB
package import LatticeCore
package import LatticeStore
import LatticeWire

/// Reads a damaged file in every possible way, and stores every record that verifies in a new file: first those that SQLite
/// can read, then those on pages that it cannot reach.
package struct Salvage {
    let path: String
    let store: Store
    let verify: RecordVerification
    let now: WallTime
    var report: SalvageReport
    /// Ids of rows whose content is not what their author signed.
    private var failed: Set<RecordID> = []
    /// Unconfirmed own records, if SQLite cannot read the outbox.
    private var waiting: Set<RecordID> = []

    /// Limit of rows processed together: at most 15 MB of records.
    private static let portion = 256

    private init(path: String, store: Store, verify: @escaping RecordVerification, now: WallTime, report: SalvageReport)
    {
        self.path = path
        self.store = store
        self.verify = verify
        self.now = now
        self.report = report
    }

    /// Saves every record that verifies from a file that SQLite finds damaged into a new file at its path. The damaged file is
    /// kept beside it as `PATH.damaged-N`.
    ///
    /// No other process may have the file open.
    ///
    /// - Parameter wallTime: an upper bound for arrivals; the file may no longer tell when a record arrived.
    package static func run(
        path: String, owner: PeerID, quota: StoreQuota = StoreQuota(), at wallTime: WallTime,
        verify: @escaping RecordVerification
    ) async throws(StoreError) -> SalvageReport {
        let files = SalvageFiles(path: path)
        do {
            try files.clear()
            let report = SalvageReport(damagedPath: try files.freePath())
            let store = try Store(path: files.newPath, owner: owner, quota: quota)
            var salvage = Salvage(path: path, store: store, verify: verify, now: wallTime, report: report)
            try await salvage.run()
            try store.close()
            // Everything is on the disk before the damaged file is replaced.
            try files.exchange(damagedPath: report.damagedPath)
            return salvage.report
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private mutating func run() async throws {
        // Opened before SQLite sees the file: on closing it, SQLite removes the log.
        let pages = SalvagedPages(path: path)
        let scan = SalvagedScan(pages)
        let rows = pages.hasHeader ? SalvagedRows(path: path) : nil
        defer { rows?.close() }
        var isReadWhole = pages.isEmpty
        if let rows { isReadWhole = try await keepReadable(rows, scan) }
        try await keepScattered(scan)
        try await store.restoration.set(rows?.settings() ?? scan.settings)
        if let date = rows?.clock() ?? scan.clock { try await store.restoration.pass(date, at: now) }
        try await store.restoration.wait(for: rows?.outbox() ?? Array(waiting))
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
        waiting.formUnion(rows.filter { scan.waiting.contains($0.seq) }.compactMap(\.id))
        // The log has a copy of a page for each time it was written.
        let known = try await store.catalogue.known(rows.compactMap(\.id))
        let rows = rows.filter { row in row.id.map { !known.contains($0) } ?? true }
        let signed = rows.indices.flatMap { index in Self.signed(rows[index]).map { (index: index, record: $0) } }
        let verified = await verify(signed.map(\.record))
        var arrivals: [(record: VerifiedRecord, at: WallTime)] = []
        var proved: Set<Int> = []
        for (record, (index, _)) in zip(verified, signed) {
            guard let record else { continue }
            proved.insert(index)
            guard !scan.erased.contains(record.id) else { continue }
            let lifetime = Int64(record.record.lifetimeSeconds) * 1_000
            let created = record.record.created.wallTime.milliseconds
            let seen = rows[index].arrival(created: created, lifetime: lifetime, now: now.milliseconds)
            arrivals.append((record, WallTime(milliseconds: seen)))
        }
        failed.formUnion(rows.indices.filter { !proved.contains($0) }.compactMap { rows[$0].id })
        failed.subtract(proved.compactMap { rows[$0].id })
        try await store.restoration.insert(arrivals)
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

    private mutating func count(_ rows: SalvagedRows?, _ scan: SalvagedScan, isReadWhole: Bool) async throws {
        report.kept = try await store.restoration.count()
        var lost = try await store.restoration.lost(of: failed.subtracting(scan.erased))
        report.isLossKnown = isReadWhole
        do {
            var indexed: Set<RecordID> = []
            var last: RecordID?
            while let ids = try rows?.ids(after: last), let end = ids.last {
                indexed.formUnion(try await store.restoration.lost(of: Set(ids).subtracting(scan.erased)))
                last = end
            }
            lost.formUnion(indexed)
            if rows != nil { report.isLossKnown = true }
        } catch is DatabaseError {
            // A bad page of the index: its ids are lost, unless the table has them.
        }
        report.lost = lost.count
    }
}
