import GRDB
import LatticeCore
import LatticeWire

/// One transaction of writing: takes records in, and keeps everything derived from them consistent.
///
/// The result does not depend on the order in which records arrive; each part explains how.
final class Batch {
    let database: Database
    let state: CommitState
    /// Unix milliseconds: the arrival of the records.
    var now: Int64
    /// Keys of added records that are still stored.
    private(set) var added: [StoredKey] = []
    /// The lowest number assigned.
    private var firstAdded = Int64.max
    /// A record was removed or erased.
    private(set) var hasRemoved = false
    /// A record was evicted.
    private(set) var hasEvicted = false
    /// Authors whose usage has changed since the last eviction.
    private var touched: Set<Int64> = []

    init(_ database: Database, _ state: CommitState, at wall: WallTime) {
        self.database = database
        self.state = state
        now = wall.milliseconds
    }

    var owner: PeerID { state.owner }

    var ownerNumber: Int64 { state.ownerNumber }

    var activity: ActivityTable { ActivityTable(database: database) }

    // MARK: In

    /// - Parameters:
    /// - ageSeconds: how long the sender has had it.
    /// - isOurs: whether it was written here; then no rule excludes it.
    func insert(_ record: VerifiedRecord, ageSeconds: UInt32 = 0, isOurs: Bool = false) throws -> InsertOutcome {
        let said: Said
        do {
            said = try Said(record.record)
        } catch {
            return .refused(error.reason)
        }
        if case .presence = said { return .ignored }
        if let known = try row(of: record.id) { return known.erased == 0 ? .known : .erased }
        let isOurs = isOurs || record.author == owner
        let outcome = try insert(record, said, age: Int64(ageSeconds) * 1_000, isOurs: isOurs)
        if outcome == .added { note(record.record.created, isOwn: isOurs) }
        return outcome
    }

    /// Later records written here get later dates.
    private func note(_ date: HybridTime, isOwn: Bool) {
        guard isOwn || date.wall.milliseconds <= now + OwnClock.aheadMax else { return }
        state.pass(date)
    }

    private func insert(_ record: VerifiedRecord, _ said: Said, age: Int64, isOurs: Bool) throws -> InsertOutcome {
        let recordClass: RecordRow.Class =
            switch said {
            case .chat, .item, .presence, .sealed: .written
            case .profile, .reaction, .prekeys, .residence: .done
            case .edit, .deletion, .unknown: .other
            }
        // A refused record adds no peer: its author gets a number when it is stored.
        let author = try state.peerNumber(record.author, in: database)
        let row = RecordRow(record, author: author ?? 0, class: recordClass, at: now, age: age)
        if try !isOurs && isOutside(row) { return .ignored }
        switch said {
        case .presence: return .ignored
        case .chat, .sealed, .unknown: return try insertTarget(row, of: record, content: nil)
        case .item(let content): return try insertTarget(row, of: record, content: content)
        case _ where row.expires <= now: return overdue(row)
        case .profile(let profile): return try insertNewest(row, of: record) { try self.file($0, profile) }
        case .reaction(let holds): return try insertNewest(row, of: record) { try self.file($0, holds: holds) }
        case .prekeys, .residence: return try insertNewest(row, of: record) { _ in }
        case .edit: return try insertEdit(row, of: record)
        case .deletion: return try insertDeletion(row, of: record)
        }
    }

    /// Writes only the row, and nothing that follows from it.
    ///
    /// - Returns: the stored row, with its number and its author's.
    func write(_ row: RecordRow, of record: VerifiedRecord) throws -> RecordRow {
        let author = try state.peerNumberMade(record.author, in: database)
        let seq = state.nextNumber()
        try database.run(
            """
            INSERT INTO record
              (seq, id, kind, author, created, lifetime, topic, seen, date, expires, class, size, erased, bytes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .int(seq), .key(row.id.hash), .int(row.kindNumber), .int(author), .int(row.created), .int(row.lifetime),
                .bytes(row.topic), .int(row.isAhead ? row.date : now), .int(row.date), .int(row.expires),
                .int(row.recordClass.rawValue),
                .int(row.size), .int(row.erased), row.erased == 0 ? .bytes(record.signed.bytes) : .null,
            ])
        var written = row
        written.author = author
        written.seq = seq
        count(written)
        if row.kind == .edit || row.kind == .deletion { state.changeCame() }
        firstAdded = min(firstAdded, written.seq)
        if written.erased == 0, let key = StoredKey(written) { added.append(key) }
        return written
    }

    private func count(_ row: RecordRow) {
        state.usage.add(row)
        touched.insert(row.author)
    }

    /// Changes how a row is counted; `nil` if it is gone.
    func recount(_ row: RecordRow, as changed: RecordRow?) {
        state.usage.remove(row)
        touched.insert(row.author)
        if let changed { count(changed) }
        // Once a filed row has changed, unfiled rows no longer account for all that the tables lack.
        state.mustFile = true
    }

    /// Runs before a row is removed or erased.
    func leaves(_ row: RecordRow) {
        guard row.erased == 0 else { return }
        hasRemoved = true
        if row.seq >= firstAdded { added.removeAll { $0.id == row.id } }
    }

    /// Evicts to keep within the quotas, and files if necessary.
    ///
    /// - Returns: the numbers of the evicted records.
    func finish(_ quota: StoreQuota) throws -> Set<Int64> {
        guard !touched.isEmpty else { return [] }
        let authors = touched.sorted()
        touched = []
        try lowerFloors(quota)
        let isOver =
            try state.bytes > Int64(quota.bytes)
            || authors.contains { try state.bytes(of: $0, in: database) > Int64(quota.authorBytes) }
        guard isOver else {
            if state.mustFile { try state.file(in: database) }
            return []
        }
        try state.file(in: database)
        let evicted = try evict(over: quota, by: authors)
        try state.file(in: database)
        touched = []
        if !evicted.isEmpty { hasEvicted = true }
        return evicted
    }

    // MARK: Judging

    /// The outcome for an expired record. A record dated ahead expires by its arrival, and so only by the sender's word.
    func overdue(_ row: RecordRow) -> InsertOutcome {
        row.isAhead ? .expiredByAge : .expired
    }

    /// Whether records of this age have been evicted.
    func isBelowFloor(_ row: RecordRow) throws -> Bool {
        guard !state.floors.isEmpty else { return false }
        return state.floors.decline(row, of: try circle(of: row.author), at: now)
    }

    private func isOutside(_ row: RecordRow) throws -> Bool {
        if state.rule.leavesOut(row) { return true }
        guard let since = state.rule.since(at: now), row.date < since else { return false }
        return try circle(of: row.author) == .strangers
    }

    func circle(of author: Int64) throws -> AuthorCircle {
        try state.circle(of: author, in: database)
    }

    // MARK: Looking up

    /// Runs for every incoming record, so the text is made once.
    private static let rowOfID = "SELECT \(RecordRow.columns) FROM record WHERE id = ?"

    func row(of id: RecordID) throws -> RecordRow? {
        try database.one(Self.rowOfID, [.key(id.hash)]) { try RecordRow($0) }
    }

    func row(at seq: Int64) throws -> RecordRow? {
        try database.one("SELECT \(RecordRow.columns) FROM record WHERE seq = ?", [.int(seq)]) { try RecordRow($0) }
    }

    /// The target of a comment, edit or deletion.
    func row(named topic: [UInt8]) throws -> RecordRow? {
        guard let hash = Bytes32(topic) else { return nil }
        return try row(of: RecordID(hash))
    }

    func body(at seq: Int64) throws -> [UInt8] {
        try Self.signed(try bytes(at: seq)).record.body
    }

    /// Empty if it is erased.
    func bytes(at seq: Int64) throws -> [UInt8] {
        try database.one("SELECT bytes FROM record WHERE seq = ?", [.int(seq)]) { $0.bytes(0) } ?? []
    }

    static func signed(_ bytes: [UInt8]) throws -> SignedRecord {
        do {
            return try SignedRecord(decoding: bytes[...])
        } catch {
            throw DatabaseError.damaged("a record does not decode: \(error)")
        }
    }
}
