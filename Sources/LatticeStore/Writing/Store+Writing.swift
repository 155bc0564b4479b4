import GRDB
package import LatticeCore
package import LatticeWire

/// What became of a record that came.
package enum InsertOutcome: Hashable, Sendable {
    /// Kept.
    case added
    /// Here already.
    case known
    /// A newer one of its author and topic is here.
    case superseded
    /// Its time was over when it came.
    case expired
    /// As `expired`, if its giver is right about when it was first seen: from another it may be worth keeping.
    case expiredByAge
    /// It was taken back: who and when is kept, what it said is not.
    case erased
    /// Of a kind that is not stored, or outside of what the owner chose to keep.
    case ignored
    /// Of somebody who is blocked.
    case blocked
    /// Right, but there is no room for it, or was none for what is as old.
    case evicted
    /// Not what its kind has to be, or not its author's to say.
    case refused(String)
}

/// A record, and what whoever gave it says of it.
package struct IncomingRecord: Hashable, Sendable {
    package let record: VerifiedRecord
    /// For how many seconds they have had it; counts only for what is dated ahead.
    package let ageSeconds: UInt32

    package init(_ record: VerifiedRecord, ageSeconds: UInt32 = 0) {
        self.record = record
        self.ageSeconds = ageSeconds
    }
}

extension Store {
    /// As they are said: nobody has had them for any time.
    package func insert(_ records: [VerifiedRecord], at wall: WallTime) async throws(StoreError) -> [InsertOutcome] {
        try await insert(records.map { IncomingRecord($0) }, at: wall)
    }

    /// Keeps records and what follows from them: all of them in one transaction, or none.
    ///
    /// - Parameter wall: when they came.
    /// - Returns: what became of each, in their order.
    package func insert(_ records: [IncomingRecord], at wall: WallTime) async throws(StoreError) -> [InsertOutcome] {
        if records.isEmpty { return [] }
        return try await writer.answer(on: .ingest) { .incoming(records, at: wall, .call($0)) }
    }

    /// Keeps a record of the owner's, or of who speaks through their node, dated after all before it, whichever process made those.
    ///
    /// - Parameters:
    ///   - waits: whether it stands in the outbox until somebody confirms it.
    ///   - make: signs a record of the date it is given, inside the transaction.
    /// - Returns: the record, and what became of it; one that was not added is in no outbox.
    package func write(
        at wall: WallTime, waits: Bool, _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) async throws(StoreError) -> (VerifiedRecord, InsertOutcome) {
        let draft = draft(at: wall, waits: waits, make)
        let published: [Published] = try await writer.answer { .drafts([draft], .call($0)) }
        return (published[0].record, published[0].outcome)
    }

    func draft(
        at wall: WallTime, waits: Bool, _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) -> Draft {
        Draft(author: author, at: wall, waits: waits, make: make)
    }

    // MARK: Without waiting

    /// Dates, signs and keeps drafts in their order, in one commit with whatever else waits; all of them or none.
    ///
    /// - Parameter ticket: under which `onCommit` tells what became of them.
    /// - Returns: `false` if too much waits; then nothing was taken.
    package func submit(drafts: [Draft], ticket: UInt64) -> Bool {
        writer.submit(.drafts(drafts, .ticket(ticket)), on: .drafts)
    }

    /// Keeps what others said, as `insert`, in one commit with whatever else waits.
    ///
    /// - Returns: `false` if too much waits; then nothing was taken.
    package func submit(incoming: [IncomingRecord], at wall: WallTime, ticket: UInt64) -> Bool {
        writer.submit(.incoming(incoming, at: wall, .ticket(ticket)), on: .ingest)
    }

    /// Calls the last `deliver` given, on the writer's thread: after each commit of submitted jobs or changed keys, and after failures.
    package func onCommit(_ deliver: @escaping @Sendable (Committed) -> Void) {
        writer.onCommit(deliver)
    }

    // MARK: Outbox

    /// Records of this person's that nobody has confirmed, oldest first. Those of an identity that this person had before are not sent any more.
    ///
    /// - Parameter after: the `seq` of the last one seen.
    package func waiting(limit: Int, after: Int64?) async throws(StoreError) -> [(seq: Int64, record: SignedRecord)] {
        let author = author
        return try await read { database in
            let rows = try database.all(
                """
                SELECT seq, bytes FROM outbox CROSS JOIN record ON record.seq = outbox.record
                WHERE outbox.record > ? AND author = (SELECT peer.seq FROM peer WHERE key = ?)
                ORDER BY outbox.record LIMIT ?
                """, [.int(after ?? 0), .key(author.key), .int(Int64(limit))]
            ) { (seq: $0.int(0), bytes: $0.bytes(1)) }
            return try rows.map { ($0.seq, try Batch.signed($0.bytes)) }
        }
    }

    /// Takes records out of the outbox: somebody has them.
    ///
    /// - Returns: the letters among them.
    @discardableResult
    package func confirmed(_ ids: [RecordID]) async throws(StoreError) -> [StoredLetter] {
        if ids.isEmpty { return [] }
        return try await writer.commit { transaction in
            let database = transaction.database
            for id in ids {
                try database.run(
                    "DELETE FROM outbox WHERE record = (SELECT seq FROM record WHERE id = ?)", [.key(id.hash)])
            }
            return try Letters.advance(ids, to: .relayed, of: nil, in: database)
        }
    }

    // MARK: Settings

    package func setting(_ key: String) async throws(StoreError) -> String? {
        try await read { try Settings.value(key, in: $0) }
    }

    /// - Parameters:
    ///   - key: without a dot at its beginning: those are the store's own.
    ///   - value: `nil` takes it away.
    package func set(_ key: String, _ value: String?) async throws(StoreError) {
        precondition(!key.hasPrefix("."), "the store's own settings are not set from outside")
        try await writer.commit { try Settings.set(key, value, in: $0.database) }
    }

    /// Of the files that each transaction writes to. Where they are what they were nobody has written since; see `FileMark` for when
    /// that is not quite true.
    package var fileMarks: [FileMark?] { [FileMark(path: path), FileMark(path: "\(path)-wal")] }

    /// A number that changes when another process has written; equal numbers mean that none has.
    package func changeCount() async throws(StoreError) -> Int {
        // Its own writes do not count on the connection that writes.
        try await onKeptConnection { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
}
