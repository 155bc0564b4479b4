import GRDB
package import LatticeCore
package import LatticeWire

/// Verifies many signatures at once: for each record the verified one, or `nil` if its author did not sign it.
package typealias RecordVerification = @Sendable ([SignedRecord]) async -> [VerifiedRecord?]

package struct StoreFindings: Hashable, Sendable {
    package var records = 0
    /// One sentence each, at most `StoreFindings.faultsMax`; empty if no fault was found.
    package var faults: [String] = []

    /// Further faults add no information.
    package static let faultsMax = 100

    mutating func add(_ fault: String) {
        if faults.count < Self.faultsMax { faults.append(fault) }
    }
}

extension StoreUpkeep {
    /// Records verified at once.
    private static let checkPortion: Int64 = 1_000

    /// Checks everything: SQLite's pages, every record's bytes, id and signature, and whether the derived tables match the
    /// records. Changes nothing.
    package func check(verify: RecordVerification) async throws(StoreError) -> StoreFindings {
        var check = StoreFindings()
        let pages = try await answer { database in
            try String.fetchAll(database, sql: "PRAGMA integrity_check(\(StoreFindings.faultsMax))").filter {
                $0 != "ok"
            }
                + Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { "a row refers to a missing row: \($0)" }
        }
        for fault in pages { check.add(fault) }
        try await checkRecords(&check, verify)
        if !access.file.isReadOnly, check.faults.isEmpty {
            for fault in try await derivedFaults() { check.add(fault) }
        }
        return check
    }

    /// A damaged page is a result of the check, not an error.
    private func answer(_ body: @escaping @Sendable (Database) throws -> [String]) async throws(StoreError) -> [String]
    {
        do {
            return try await access.read(body)
        } catch .damaged(_, let reason) {
            return [reason]
        }
    }

    private func checkRecords(_ check: inout StoreFindings, _ verify: RecordVerification) async throws(StoreError) {
        var last: Int64 = 0
        while true {
            let after = last
            let rows: [StoredBytes]
            do {
                rows = try await access.read { try StoredBytes.portion(of: $0, after: after, limit: Self.checkPortion) }
            } catch .damaged(_, let reason) {
                return check.add("the records after number \(last) cannot be read: \(reason)")
            }
            guard let end = rows.last?.row.seq else { return }
            last = end
            check.records += rows.count
            let (signed, faults) = StoredBytes.decoded(rows)
            for fault in faults { check.add(fault) }
            let verified = await verify(signed.map(\.record))
            for (signed, verified) in zip(signed, verified) where verified?.id != signed.row.id {
                check.add("record \(signed.row.id) has an invalid signature")
            }
        }
    }

    private func derivedFaults() async throws(StoreError) -> [String] {
        let owner = access.owner
        return try await access.file.writer.alone { database in
            var faults: [String] = []
            try database.inTransaction(.immediate) {
                let state = CommitState(owner: owner)
                try state.load(from: database)
                try state.file(in: database)
                let found = try Fingerprint(database)
                _ = try Rebuilding(
                    batch: Batch(
                        database, state, state.statements(in: database), at: WallTime(milliseconds: 0))
                ).run()
                faults = try found.differences(from: Fingerprint(database)).map {
                    "the table \($0) does not match the records; run 'lattice store rebuild'"
                }
                return .rollback
            }
            return faults
        }
    }

    /// Derives everything again from the records, in one transaction.
    ///
    /// - Returns: the number of records.
    /// - Throws: `StoreError.damaged`, with nothing written, if pages are not as SQLite wrote them: a page wrongly listed as
    ///   free would be overwritten, and its records lost.
    package func rebuild(at wallTime: WallTime) async throws(StoreError) -> Int {
        let path = access.file.path
        let fault = try await access.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") ?? "ok" }
        if fault != "ok" { throw .damaged(path: path, reason: fault) }
        return try await access.commit { transaction in
            try transaction.file()
            // Each record's row has its arrival.
            return try Rebuilding(batch: transaction.batch(at: WallTime(milliseconds: 0))).run()
        }
    }

    /// Returns the file's free space to the disk.
    ///
    /// - Returns: the file's size in bytes, before and after.
    package func vacuum() async throws(StoreError) -> (before: Int, after: Int) {
        try await access.file.writer.alone { database in
            func bytes() throws -> Int {
                let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                return pages * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
            }
            let before = try bytes()
            try database.execute(sql: "VACUUM")
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            return (before, try bytes())
        }
    }
}

/// A row of `record` with its bytes, as stored in the file.
struct StoredBytes {
    let row: RecordRow
    let author: Bytes32?
    /// Empty if it is erased.
    let bytes: [UInt8]

    static func portion(of database: Database, after: Int64, limit: Int64) throws -> [StoredBytes] {
        try database.all(
            """
            SELECT \(RecordRow.columns), bytes, (SELECT key FROM peer WHERE peer.seq = record.author)
            FROM record WHERE seq > ? ORDER BY seq LIMIT ?
            """, [.int(after), .int(limit)]
        ) { StoredBytes(row: try RecordRow($0), author: $0.bytes32(13), bytes: $0.bytes(12)) }
    }

    /// The records that match their rows, and a sentence for each that does not.
    static func decoded(_ rows: [StoredBytes]) -> (signed: [(row: RecordRow, record: SignedRecord)], faults: [String]) {
        var signed: [(row: RecordRow, record: SignedRecord)] = []
        var faults: [String] = []
        for stored in rows where stored.row.erased == 0 {
            do {
                let record = try SignedRecord(decoding: stored.bytes[...])
                if stored.says(record.record) {
                    signed.append((stored.row, record))
                } else {
                    faults.append("record \(stored.row.id) does not match its row")
                }
            } catch {
                faults.append("record \(stored.row.id) does not decode: \(error)")
            }
        }
        return (signed, faults)
    }

    private func says(_ record: LatticeWire.Record) -> Bool {
        record.kind == row.kind && record.author.key == author && record.topic == row.topic
            && Int64(record.lifetimeSeconds) == row.lifetime
            && Int64(bitPattern: record.created.rawValue ^ 1 << 63) == row.created
    }
}
