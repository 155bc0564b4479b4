import GRDB
import LatticeCore
import LatticeWire

/// One transaction of writing: takes records in, and keeps everything that follows from them right.
///
/// What is here afterwards does not depend on the order in which the records came; each part says how.
final class Batch {
    let database: Database
    /// Unix milliseconds: when what is taken in came.
    var now: Int64
    let owner: PeerID
    /// The owner's `peer.seq`.
    private(set) var ownerNumber: Int64 = 0
    var usage = UsageLedger()
    private var peers: [PeerID: Int64] = [:]
    /// The newest date of the owner's that came in this batch.
    private var ownDate: UInt64 = 0

    init(_ database: Database, owner: PeerID, at wall: WallTime) throws {
        self.database = database
        self.owner = owner
        now = wall.milliseconds
        ownerNumber = try peerNumberMade(owner)
    }

    // MARK: In

    func insert(_ record: VerifiedRecord) throws -> InsertOutcome {
        let said: Said
        do {
            said = try Said(record.record)
        } catch {
            return .refused(error.reason)
        }
        if case .presence = said { return .ignored }
        if let known = try row(of: record.id) { return known.erased == 0 ? .known : .erased }
        let outcome = try insert(record, said)
        if record.author == owner, outcome == .added { ownDate = max(ownDate, record.record.created.rawValue) }
        return outcome
    }

    private func insert(_ record: VerifiedRecord, _ said: Said) throws -> InsertOutcome {
        let recordClass: RecordRow.Class =
            switch said {
            case .chat, .item, .presence: .written
            case .profile, .reaction: .done
            case .edit, .deletion, .unknown: .other
            }
        // A refused record leaves no peer behind: its author gets a number when it is kept.
        let author = try peerNumber(record.author)
        let row = RecordRow(record, author: author ?? 0, class: recordClass, at: now)
        switch said {
        case .presence: return .ignored
        case .chat, .unknown: return try insertTarget(row, of: record, content: nil)
        case .item(let content): return try insertTarget(row, of: record, content: content)
        case _ where row.expires <= now: return .expired
        case .profile(let profile): return try insertNewest(row, of: record) { try self.file($0, profile) }
        case .reaction(let holds): return try insertNewest(row, of: record) { try self.file($0, holds: holds) }
        case .edit: return try insertEdit(row, of: record)
        case .deletion: return try insertDeletion(row, of: record)
        }
    }

    /// Writes the row itself, and nothing that follows from it.
    ///
    /// - Returns: the row as it stands, with its number and its author's.
    func write(_ row: RecordRow, of record: VerifiedRecord) throws -> RecordRow {
        let author = try peerNumberMade(record.author)
        try database.run(
            """
            INSERT INTO record
              (id, kind, author, created, lifetime, topic, seen, date, expires, class, size, erased, bytes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .key(row.id.hash), .int(row.kindNumber), .int(author), .int(row.created), .int(row.lifetime),
                .bytes(row.topic), .int(now), .int(row.date), .int(row.expires), .int(row.recordClass.rawValue),
                .int(row.size), .int(row.erased), row.erased == 0 ? .bytes(record.signed.bytes) : .null,
            ])
        var written = RecordRow(record, author: author, class: row.recordClass, at: now)
        written.seq = database.lastInsertedRowID
        written.expires = row.expires
        written.size = row.size
        written.erased = row.erased
        usage.add(written)
        return written
    }

    /// Writes down what was counted, and makes room; the batch's last act.
    ///
    /// - Returns: the numbers of the records that had to go.
    func finish(_ quota: StoreQuota) throws -> Set<Int64> {
        let evicted = try evict(over: quota)
        try usage.write(to: database)
        for author in usage.emptied { try forget(author) }
        if ownDate > 0 { try OwnClock.pass(ownDate, in: database) }
        return evicted
    }

    // MARK: Looking up

    func row(of id: RecordID) throws -> RecordRow? {
        try database.one("SELECT \(RecordRow.columns) FROM record WHERE id = ?", [.key(id.hash)]) { try RecordRow($0) }
    }

    func row(at seq: Int64) throws -> RecordRow? {
        try database.one("SELECT \(RecordRow.columns) FROM record WHERE seq = ?", [.int(seq)]) { try RecordRow($0) }
    }

    /// Of what a comment, edit or deletion names.
    func row(named topic: [UInt8]) throws -> RecordRow? {
        guard let hash = Bytes32(topic) else { return nil }
        return try row(of: RecordID(hash))
    }

    func body(at seq: Int64) throws -> [UInt8] {
        try Self.signed(try bytes(at: seq)).record.body
    }

    /// Empty if it was taken back.
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

    /// Of a peer that something is kept of.
    func peerNumber(_ peer: PeerID) throws -> Int64? {
        if let known = peers[peer] { return known }
        let found = try database.one("SELECT seq FROM peer WHERE key = ?", [.key(peer.key)]) { $0.int(0) }
        if let found { peers[peer] = found }
        return found
    }

    /// No quota counts peers, so whoever left nothing is not kept, unless the owner follows them.
    private func forget(_ author: Int64) throws {
        try database.run(
            """
            DELETE FROM peer WHERE seq = ?1 AND seq <> ?2 AND NOT EXISTS (
              SELECT 1 FROM reaction WHERE target = peer.key AND kind = 7 AND author = ?2 AND holds = 1)
            """, [.int(author), .int(ownerNumber)])
    }

    @discardableResult
    func peerNumberMade(_ peer: PeerID) throws -> Int64 {
        if let known = try peerNumber(peer) { return known }
        try database.run("INSERT INTO peer (key) VALUES (?)", [.key(peer.key)])
        let made = database.lastInsertedRowID
        peers[peer] = made
        return made
    }
}
