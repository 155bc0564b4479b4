import GRDB
package import LatticeCore
package import LatticeWire

package enum InsertOutcome: Hashable, Sendable {
    case added
    case known
    /// A newer record of its author and topic is stored.
    case superseded
    case expired
    /// Like `expired`, if the sender's age for it is right: from another peer it may be worth storing.
    case expiredByAge
    /// It was deleted: its author and dates are stored, its content is not.
    case erased
    /// Its kind is not stored, or the owner's rule excludes it.
    case ignored
    case blocked
    /// Valid, but there is no space for it, or records of its age were evicted before.
    case evicted
    /// Its form is wrong for its kind, or its author may not say this.
    case refused(String)
}

/// How a record came into the store.
package enum RecordCarrier: Int64, Hashable, Sendable {
    /// From a neighbour, or from a program of this folder that wrote it.
    case mesh = 0
    case nats = 1
    case mqtt = 2
    /// From another network, by another program.
    case other = 3
}

/// A record with what its sender says about it.
package struct IncomingRecord: Hashable, Sendable {
    package let record: VerifiedRecord
    /// Seconds that the sender has had it; only counts for records dated ahead.
    package let ageSeconds: UInt32
    /// Whether it was judged urgent when it came.
    package let isUrgent: Bool
    /// Whether it came from a neighbour's store.
    package let isFetched: Bool
    package let via: RecordCarrier

    package init(
        _ record: VerifiedRecord, ageSeconds: UInt32 = 0, isUrgent: Bool = false, isFetched: Bool = false,
        via: RecordCarrier = .mesh
    ) {
        (self.record, self.ageSeconds, self.via) = (record, ageSeconds, via)
        (self.isUrgent, self.isFetched) = (isUrgent, isFetched)
    }
}

extension Store {
    /// Inserts new records, which nobody has had before.
    package func insert(_ records: [VerifiedRecord], at wallTime: WallTime) async throws(StoreError) -> [InsertOutcome]
    {
        try await insert(records.map { IncomingRecord($0) }, at: wallTime)
    }

    /// Stores records and everything derived from them, all in one transaction or none.
    ///
    /// - Parameter wallTime: when they arrived.
    /// - Returns: the outcome for each, in their order.
    package func insert(_ records: [IncomingRecord], at wallTime: WallTime) async throws(StoreError) -> [InsertOutcome]
    {
        if records.isEmpty { return [] }
        return try await access.file.writer.answer(on: .ingest) { .incoming(records, at: wallTime, .call($0)) }
    }

    /// Stores one record like `publish`; a record that was not added is not in the outbox.
    package func write(
        at wallTime: WallTime, waits: Bool, _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) async throws(StoreError) -> (VerifiedRecord, InsertOutcome) {
        let published = try await publish([access.draft(at: wallTime, waits: waits, make)])[0]
        return (published.record, published.outcome)
    }

    /// Dates, signs and stores drafts in order, all or none.
    package func publish(_ drafts: [Draft]) async throws(StoreError) -> [Published] {
        try await access.file.writer.answer { .drafts(drafts, .call($0)) }
    }

    /// Dates, signs and stores drafts in order, all or none, in one commit with other queued jobs.
    ///
    /// - Parameter ticket: identifies the outcome in `onCommit`.
    /// - Returns: `false` if the queue is full; then nothing is taken.
    package func submit(drafts: [Draft], ticket: UInt64) -> Bool {
        access.file.writer.submit(.drafts(drafts, .ticket(ticket)), on: .drafts)
    }

    /// Stores records of others like `insert`, in one commit with other queued jobs.
    ///
    /// - Parameters:
    ///   - isUrgent: whether they go before other queued records of others.
    ///   - startsCommit: `false` if drafts follow at once, so that both share a commit.
    /// - Returns: `false` if the queue is full; then nothing is taken.
    package func submit(
        incoming: [IncomingRecord], at wallTime: WallTime, ticket: UInt64, isUrgent: Bool = false,
        startsCommit: Bool = true
    ) -> Bool {
        access.file.writer.submit(
            .incoming(incoming, at: wallTime, .ticket(ticket)), on: isUrgent ? .urgent : .ingest,
            startsCommit: startsCommit)
    }

    /// Calls the last `deliver` on the writer's thread after each commit of submitted jobs or changed keys, and after failures.
    package func onCommit(_ deliver: @escaping @Sendable (Committed) -> Void) {
        access.file.writer.onCommit(deliver)
    }

    // MARK: Blocked authors

    /// Whom this persona blocks.
    package var blockedAuthors: Set<PeerID> { access.blocked.authors }

    /// The owner: from now on no records of these authors are accepted; stored ones stay until `StoreUpkeep.removeBlocked`.
    /// A visitor: past lines of these authors are left out. Nobody blocks themselves.
    package func setBlocked(_ authors: Set<PeerID>) {
        access.blocked.set(authors.subtracting([author]))
    }

    package func setting(_ key: String) async throws(StoreError) -> String? {
        try await access.read { try StoredSettings.value(key, in: $0) }
    }

    /// - Parameters:
    /// - key: without a leading dot, which marks the store's own keys.
    /// - value: `nil` removes it.
    package func set(_ key: String, _ value: String?) async throws(StoreError) {
        precondition(!key.hasPrefix("."), "the store's own settings are not set from outside")
        try await access.commit { try StoredSettings.set(key, value, in: $0.database) }
    }

    /// Marks of the files that each transaction writes to. Equal marks mean that nobody has written; `FileMark` describes the
    /// exception.
    package var fileMarks: [FileMark?] { [FileMark(path: path), FileMark(path: "\(path)-wal")] }

    /// A number that changes when another process has written; equal numbers mean that none has.
    package func changeCount() async throws(StoreError) -> Int {
        // The writing connection does not count its own writes.
        try await access.file.onKeptConnection { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }

    /// The owner's clock: every new record of theirs gets a later date.
    package func ownClock() async throws(StoreError) -> HybridTime {
        let owner = owner
        return try await access.read { HybridTime(rawValue: try OwnClock.last(of: owner, in: $0)) }
    }
}
