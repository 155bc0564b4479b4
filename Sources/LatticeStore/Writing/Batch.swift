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
    var floors: Floors
    private let rule: KeepRule
    private var peers: [PeerID: Int64] = [:]
    /// Numbers of those whom the owner follows, once somebody asked.
    private var followed: Set<Int64>?
    /// The newest date that came in this batch: of the owner's, and of others' as far as their clocks can be right.
    private var newestDate: UInt64 = 0

    init(_ database: Database, owner: PeerID, at wall: WallTime) throws {
        self.database = database
        self.owner = owner
        now = wall.milliseconds
        floors = try Floors(database)
        rule = try KeepRule.stored(in: database)
        ownerNumber = try peerNumberMade(owner)
    }

    // MARK: In

    /// - Parameters:
    ///   - ageSeconds: for how long its giver has had it.
    ///   - isOurs: whether it is said here: then no rule leaves it out.
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

    /// What is said here from now on is said after it.
    private func note(_ date: HybridTime, isOwn: Bool) {
        guard isOwn || date.wall.milliseconds <= now + OwnClock.aheadMax else { return }
        newestDate = max(newestDate, date.rawValue)
    }

    private func insert(_ record: VerifiedRecord, _ said: Said, age: Int64, isOurs: Bool) throws -> InsertOutcome {
        let recordClass: RecordRow.Class =
            switch said {
            case .chat, .item, .presence, .sealed: .written
            case .profile, .reaction, .prekeys, .residence: .done
            case .edit, .deletion, .unknown: .other
            }
        // A refused record leaves no peer behind: its author gets a number when it is kept.
        let author = try peerNumber(record.author)
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
                .bytes(row.topic), .int(row.isAhead ? row.date : now), .int(row.date), .int(row.expires),
                .int(row.recordClass.rawValue),
                .int(row.size), .int(row.erased), row.erased == 0 ? .bytes(record.signed.bytes) : .null,
            ])
        var written = row
        written.author = author
        written.seq = database.lastInsertedRowID
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
        if newestDate > 0 { try OwnClock.pass(newestDate, in: database) }
        return evicted
    }

    // MARK: Judging

    /// What it is told of whose time is over: what is dated ahead lives from when it came, so only its giver's word ends it.
    func overdue(_ row: RecordRow) -> InsertOutcome {
        row.isAhead ? .expiredByAge : .expired
    }

    /// Whether there was no room for what is as old as this.
    func isBelowFloor(_ row: RecordRow) throws -> Bool {
        guard !floors.isEmpty else { return false }
        return floors.decline(row, of: try circle(of: row.author), at: now)
    }

    private func isOutside(_ row: RecordRow) throws -> Bool {
        if rule.leavesOut(row) { return true }
        guard let since = rule.since(at: now), row.date < since else { return false }
        return try circle(of: row.author) == .strangers
    }

    func circle(of author: Int64) throws -> AuthorCircle {
        if author == ownerNumber { return .own }
        let followed = try followed ?? Set(database.followed(by: owner, andSelf: false))
        self.followed = followed
        return followed.contains(author) ? .followed : .strangers
    }

    /// The owner follows somebody, or does no more.
    func followsChange() throws {
        followed = nil
        try floors.forgetSearches(in: database)
        try Settings.set(.aged, nil, in: database)
    }

    // MARK: Looking up

    /// Asked of every record that comes, so made once.
    private static let rowOfID = "SELECT \(RecordRow.columns) FROM record WHERE id = ?"

    func row(of id: RecordID) throws -> RecordRow? {
        try database.one(Self.rowOfID, [.key(id.hash)]) { try RecordRow($0) }
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
