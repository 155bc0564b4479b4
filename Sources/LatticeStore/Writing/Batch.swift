import GRDB
import LatticeCore
import LatticeWire

/// One transaction of writing: takes records in, and keeps everything derived from them consistent.
///
/// The result does not depend on the order in which records arrive; each part explains how.
final class Batch {
    let database: Database
    let state: CommitState
    let hot: HotStatements
    /// Unix milliseconds: the arrival of the records.
    var now: Int64
    /// Keys of added records that are still stored.
    private(set) var added: [StoredKey] = []
    /// The lowest number assigned.
    private var firstAdded = Int64.max
    private(set) var hasRemoved = false
    private(set) var hasEvicted = false
    /// Authors whose usage has changed since the last eviction.
    private var touched: Set<Int64> = []

    init(_ database: Database, _ state: CommitState, _ hot: HotStatements, at wallTime: WallTime) {
        self.database = database
        self.state = state
        self.hot = hot
        now = wallTime.milliseconds
    }

    var owner: PeerID { state.owner }

    var ownerNumber: Int64 { state.ownerNumber }

    var activity: ActivityTable { ActivityTable(database: database) }

    // MARK: In

    /// - Parameters:
    /// - ageSeconds: how long the sender has had it.
    /// - isOurs: whether it was written here; then no rule excludes it.
    func insert(
        _ record: VerifiedRecord, ageSeconds: UInt32 = 0, isOurs: Bool = false, via: RecordCarrier = .mesh
    ) throws -> InsertOutcome {
        let said: Said
        do {
            said = try Said(record.record)
        } catch {
            return .refused(error.reason)
        }
        if case .presence = said { return .ignored }
        if let known = try row(of: record.id) { return known.erased == 0 ? .known : .erased }
        let isOurs = isOurs || record.author == owner
        let outcome = try insert(record, said, age: Int64(ageSeconds) * 1_000, isOurs: isOurs, via: via)
        if outcome == .added { note(record.record.created, isOwn: isOurs) }
        return outcome
    }

    /// Later records written here get later dates.
    private func note(_ date: HybridTime, isOwn: Bool) {
        guard isOwn || date.wallTime.milliseconds <= now + OwnClock.aheadMax else { return }
        state.pass(date)
    }

    private func insert(
        _ record: VerifiedRecord, _ said: Said, age: Int64, isOurs: Bool, via: RecordCarrier
    ) throws -> InsertOutcome {
        let recordClass: RecordRow.Class =
            switch said {
            case .chat, .item, .presence, .sealed, .manifest: .written
            case .profile, .reaction, .emoji, .pin, .card, .crossing, .prekeys, .residence: .done
            case .edit, .deletion, .unknown: .other
            }
        // A refused record adds no peer: its author gets a number when it is stored.
        let author = try state.peerNumber(record.author, in: database)
        var row = RecordRow(record, author: author ?? 0, class: recordClass, at: now, age: age)
        row.via = via
        if try !isOurs && isOutside(row) { return .ignored }
        switch said {
        case .presence: return .ignored
        case .chat, .sealed, .manifest, .unknown: return try insertTarget(row, of: record, content: nil)
        case .item(let content): return try insertTarget(row, of: record, content: content)
        case _ where row.expires <= now: return overdue(row)
        case .profile(let profile): return try insertNewest(row, of: record) { try self.file($0, profile) }
        case .reaction(let holds): return try insertNewest(row, of: record) { try self.file($0, holds: holds) }
        case .emoji(let topic, let holds):
            return try insertNewest(row, of: record) { try self.file($0, topic, holds: holds) }
        case .pin(let pin): return try insertNewest(row, of: record) { try self.file($0, pin) }
        case .card, .crossing, .prekeys, .residence: return try insertNewest(row, of: record) { _ in }
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
        var written = row
        written.author = author
        written.seq = seq
        try insert(written, bytes: row.erased == 0 ? record.signed.bytes : nil)
        count(written)
        if row.kind == .edit || row.kind == .deletion { state.changeCame() }
        firstAdded = min(firstAdded, written.seq)
        if written.erased == 0, let key = StoredKey(written) { added.append(key) }
        return written
    }

    private func insert(_ row: RecordRow, bytes: [UInt8]?) throws {
        let insert = hot.insert
        try insert.bind(row.seq, at: 1)
        try insert.bind(row.id.hash, at: 2)
        try insert.bind(row.kindNumber, at: 3)
        try insert.bind(row.author, at: 4)
        try insert.bind(row.created, at: 5)
        try insert.bind(row.lifetime, at: 6)
        try insert.bind(row.topic, at: 7)
        try insert.bind(row.isAhead ? row.date : now, at: 8)
        try insert.bind(row.date, at: 9)
        try insert.bind(row.expires, at: 10)
        try insert.bind(row.recordClass.rawValue, at: 11)
        try insert.bind(row.size, at: 12)
        try insert.bind(row.erased, at: 13)
        try insert.bind(state.filesAtOnce ? 1 : 0, at: 14)
        try insert.bind(row.via.rawValue, at: 15)
        if let bytes { try insert.bind(bytes, at: 16) } else { try insert.bindNull(at: 16) }
        try insert.run()
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
    func finish(_ quota: StoreQuota) throws {
        guard !touched.isEmpty else { return }
        let authors = touched.sorted()
        touched = []
        var eviction = Eviction(self, quota: quota)
        try eviction.lowerFloors()
        guard try eviction.isDue(authors) else {
            if state.mustFile { try state.file(in: database) }
            return
        }
        try state.file(in: database)
        try eviction.run(authors)
        try state.file(in: database)
        touched = []
        if eviction.evicted > 0 { hasEvicted = true }
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

    func row(of id: RecordID) throws -> RecordRow? {
        try hot.rowOfID.bind(id.hash, at: 1)
        return try hot.rowOfID.first { try RecordRow($0) }
    }

    func changes(of id: RecordID) throws -> [RecordRow] {
        try hot.changes.bind(id.hash, at: 1)
        var rows: [RecordRow] = []
        try hot.changes.forEach {
            rows.append(try RecordRow($0))
            return true
        }
        return rows
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
