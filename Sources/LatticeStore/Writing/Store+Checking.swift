import GRDB
package import LatticeCore
package import LatticeWire

/// Checks signatures, many at a time: of each record what was verified, or `nil` if its author did not say this.
package typealias RecordVerification = @Sendable ([SignedRecord]) async -> [VerifiedRecord?]

/// What a check found.
package struct StoreCheck: Hashable, Sendable {
    /// Records looked at.
    package var records = 0
    /// A sentence each, at most `StoreCheck.faultsMax`; none if all is well.
    package var faults: [String] = []

    /// More say nothing new.
    package static let faultsMax = 100

    mutating func add(_ fault: String) {
        if faults.count < Self.faultsMax { faults.append(fault) }
    }
}

extension Store {
    /// Records verified in one go.
    private static let checkPortion: Int64 = 1_000

    /// Looks at everything: SQLite's pages, every record's bytes, id and signature, and whether what follows from the
    /// records is what stands there. Changes nothing.
    package func check(verify: RecordVerification) async throws(StoreError) -> StoreCheck {
        var check = StoreCheck()
        let pages = try await answer { database in
            try String.fetchAll(database, sql: "PRAGMA integrity_check(\(StoreCheck.faultsMax))").filter { $0 != "ok" }
                + Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { "a row refers to a missing row: \($0)" }
        }
        for fault in pages { check.add(fault) }
        try await checkRecords(&check, verify)
        if !isReadOnly, check.faults.isEmpty {
            for fault in try await derivedFaults() { check.add(fault) }
        }
        return check
    }

    /// A damaged page is what a check is there to find, and so no error of it.
    private func answer(_ body: @escaping @Sendable (Database) throws -> [String]) async throws(StoreError) -> [String]
    {
        do {
            return try await read(body)
        } catch .damaged(_, let reason) {
            return [reason]
        }
    }

    private func checkRecords(_ check: inout StoreCheck, _ verify: RecordVerification) async throws(StoreError) {
        var last: Int64 = 0
        while true {
            let after = last
            let rows: [StoredBytes]
            do {
                rows = try await read { try StoredBytes.portion(of: $0, after: after, limit: Self.checkPortion) }
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
        let owner = owner
        return try await writer.alone { database in
            var faults: [String] = []
            try database.inTransaction(.immediate) {
                let state = CommitState(owner: owner)
                try state.load(from: database)
                try state.file(in: database)
                let found = try Fingerprint(database)
                _ = try Rebuilding(batch: Batch(database, state, at: WallTime(milliseconds: 0))).run()
                faults = try found.differences(from: Fingerprint(database)).map {
                    "the table \($0) does not match the records; run 'lattice store rebuild'"
                }
                return .rollback
            }
            return faults
        }
    }

    /// Makes everything that follows from the records anew, in one transaction.
    ///
    /// - Returns: how many records there are.
    /// - Throws: `StoreError.damaged`, with nothing written, where pages are not what SQLite wrote: a page that counts as
    ///   free and is not would be written over, and the records on it be gone.
    package func rebuild(at wall: WallTime) async throws(StoreError) -> Int {
        let path = path
        let fault = try await read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") ?? "ok" }
        if fault != "ok" { throw .damaged(path: path, reason: fault) }
        return try await writer.commit { transaction in
            try transaction.file()
            // When what is here came is written on each record.
            return try Rebuilding(batch: transaction.batch(at: WallTime(milliseconds: 0))).run()
        }
    }

    /// Gives back to the disk what is free in the file.
    ///
    /// - Returns: the file's size in bytes, before and after.
    package func vacuum() async throws(StoreError) -> (before: Int, after: Int) {
        try await writer.alone { database in
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

/// A row of `record` with its bytes, as they stand in the file.
struct StoredBytes {
    let row: RecordRow
    let author: Bytes32?
    /// Empty if it was taken back.
    let bytes: [UInt8]

    static func portion(of database: Database, after: Int64, limit: Int64) throws -> [StoredBytes] {
        try database.all(
            """
            SELECT \(RecordRow.columns), bytes, (SELECT key FROM peer WHERE peer.seq = record.author)
            FROM record WHERE seq > ? ORDER BY seq LIMIT ?
            """, [.int(after), .int(limit)]
        ) { StoredBytes(row: try RecordRow($0), author: $0.bytes32(13), bytes: $0.bytes(12)) }
    }

    /// Those that say what their rows say, and a sentence for each of the others.
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
