import GRDB
import LatticeCore
import LatticeWire

/// State of the file that every transaction needs, cached in memory. It is read again after another process has written, and
/// after a rollback.
final class CommitState {
    /// Some 400 kB.
    private static let peersMax = 4_096
    /// Limit of unfiled rows: the next process to open the file reads some 40 kB of them.
    static let unfiledMax: Int64 = 256

    let owner: PeerID
    /// The owner's `peer.seq`.
    private(set) var ownerNumber: Int64 = 0
    /// The `peer.seq` of every persona, including the owner.
    private var personas: Set<Int64> = []
    var floors = Floors()
    var rule = StoredRetention.everything
    /// The date of the newest own record, or of others' that were seen here.
    private(set) var clock: UInt64 = 0
    /// What unfiled rows add to the tables of usage, and what removals took from them.
    var usage = UsageLedger()
    /// Filing is due before the commit: the tables of usage lack more than the unfiled rows, or there are many of those.
    var mustFile = false
    /// From the tables of usage; authors are cached when asked for.
    private var classBytes: [RecordRow.Class: Int64] = [:]
    private var authorBytes: [Int64: Int64] = [:]
    /// As stored in the file.
    private var filed: Int64 = 0
    private var filedClock: UInt64 = 0
    /// Whether edits or deletions may be stored.
    private(set) var hasChanges = true
    /// The state of the file that is known here.
    private(set) var mark = CatalogueMark(epoch: "", seq: 0, removal: 0)
    private var peers: [PeerID: Int64] = [:]
    /// The numbers of the peers that the owner follows, once asked for.
    private var followed: Set<Int64>?
    /// The version of the file that the cache is from; `nil` before it is read.
    private var version: Int64?
    private var hot: HotStatements?
    /// New rows are filed when they are inserted.
    private(set) var filesAtOnce = false

    init(owner: PeerID) {
        self.owner = owner
    }

    // MARK: In step with the file

    /// Runs first in the transaction.
    ///
    /// - Parameter records: how many records the transaction takes in, at most.
    func catchUp(for records: Int, in database: Database) throws {
        let current = try statements(in: database).version.first { $0.int(0) }
        if current != version { try load(from: database) }
        version = current
        filesAtOnce = false
        guard records >= Self.unfiledMax else { return }
        // They would all be filed before the commit; so each row is written once.
        try file(in: database)
        filesAtOnce = true
    }

    /// Those of the writer's connection, which is the only one that uses this.
    func statements(in database: Database) throws -> HotStatements {
        if let hot { return hot }
        let made = try HotStatements(database)
        hot = made
        return made
    }

    /// Releases them, since the connection will be closed.
    func releaseStatements() {
        hot = nil
    }

    /// The transaction was rolled back.
    func forget() {
        version = nil
    }

    /// Reads everything again.
    func load(from database: Database) throws {
        peers = [:]
        followed = nil
        floors = try Floors(database)
        rule = try StoredRetention.stored(in: database)
        mark = try CatalogueMark(database)
        (filed, filedClock) =
            try database.one("SELECT filed, clock FROM ledger", []) {
                ($0.int(0), UInt64(bitPattern: $0.int(1)))
            } ?? (0, 0)
        clock = try OwnClock.last(of: owner, in: database)
        usage = UsageLedger()
        for row in try database.all(Self.unfiledRows, [], { try RecordRow($0) }) { usage.add(row) }
        mustFile = mark.seq - filed >= Self.unfiledMax
        try loadUsage(from: database)
        hasChanges = try database.one("SELECT 1 FROM record WHERE kind IN (10, 11) LIMIT 1", []) { _ in true } ?? false
        ownerNumber = try peerNumberMade(owner, in: database)
        personas = Set(
            try database.all("SELECT seq FROM persona JOIN peer ON peer.key = persona.key", []) { $0.int(0) })
        personas.insert(ownerNumber)
    }

    private static let unfiledRows = "SELECT \(RecordRow.columns) FROM record WHERE \(Schema.unfiled)"

    // MARK: Filing

    /// Whether the file lacks state that is only in memory or in unfiled rows.
    var isBehind: Bool { mark.seq > filed || clock > filedClock || !usage.isEmpty }

    /// Enters unfiled rows in their indexes and in the tables of usage.
    func file(in database: Database) throws {
        mustFile = false
        guard isBehind else { return }
        if !filesAtOnce {
            // With FAIL, SQLite copies no pages to undo this statement alone: whatever fails undoes the transaction.
            try database.run("UPDATE OR FAIL record SET filed = 1 WHERE seq > ?", [.int(filed)])
        }
        try usage.write(to: database)
        try database.run(
            "UPDATE ledger SET filed = ?1, top = ?1, clock = ?2",
            [.int(mark.seq), .int(Int64(bitPattern: clock))])
        (filed, filedClock) = (mark.seq, clock)
        try loadUsage(from: database)
        for author in usage.takeEmptied() { try forget(author: author, in: database) }
    }

    /// Reads the tables of usage after they were written.
    func loadUsage(from database: Database) throws {
        authorBytes = [:]
        classBytes = [:]
        let sums = try database.all("SELECT class, sum(bytes) FROM usage_kind GROUP BY class", []) {
            (RecordRow.Class(rawValue: $0.int(0)), $0.int(1))
        }
        for (recordClass, bytes) in sums {
            if let recordClass { classBytes[recordClass] = bytes }
        }
    }

    // MARK: Quotas

    func bytes(of recordClass: RecordRow.Class) -> Int64 {
        (classBytes[recordClass] ?? 0) + usage.bytes(of: recordClass)
    }

    var bytes: Int64 { RecordRow.Class.allCases.reduce(0) { $0 + bytes(of: $1) } }

    func bytes(of author: Int64, in database: Database) throws -> Int64 {
        let known =
            try authorBytes[author] ?? database.one(
                "SELECT bytes FROM usage_author WHERE author = ?", [.int(author)]
            ) { $0.int(0) } ?? 0
        if authorBytes.count >= Self.peersMax { authorBytes = [:] }
        authorBytes[author] = known
        return known + usage.bytes(of: author)
    }

    // MARK: Dates

    /// Later than any date before it, and not before the wall clock.
    func nextDate(at wallTime: WallTime, notBefore: HybridTime) -> HybridTime {
        let fresh = max(HybridTime(wallTime: wallTime), notBefore).rawValue
        let (next, isAtItsEnd) = clock.addingReportingOverflow(1)
        clock = fresh > clock || isAtItsEnd ? fresh : next
        return HybridTime(rawValue: clock)
    }

    /// Notes that a record of this date exists, by any author.
    func pass(_ date: HybridTime) {
        clock = max(clock, date.rawValue)
    }

    // MARK: Keys

    /// The number for a new row: greater than any assigned before.
    func nextNumber() -> Int64 {
        mark = CatalogueMark(epoch: mark.epoch, seq: mark.seq + 1, removal: mark.removal)
        if filesAtOnce || mark.seq - filed >= Self.unfiledMax { mustFile = true }
        return mark.seq
    }

    /// Notes that an edit or deletion was stored.
    func changeCame() {
        hasChanges = true
    }

    func removed(upTo number: Int64) {
        mark = CatalogueMark(epoch: mark.epoch, seq: mark.seq, removal: number)
    }

    // MARK: Peers

    func peerNumber(_ peer: PeerID, in database: Database) throws -> Int64? {
        if let known = peers[peer] { return known }
        let found = try database.one("SELECT seq FROM peer WHERE key = ?", [.key(peer.key)]) { $0.int(0) }
        if let found { remember(found, of: peer) }
        return found
    }

    @discardableResult
    func peerNumberMade(_ peer: PeerID, in database: Database) throws -> Int64 {
        if let known = try peerNumber(peer, in: database) { return known }
        try database.run("INSERT INTO peer (key) VALUES (?)", [.key(peer.key)])
        let made = database.lastInsertedRowID
        remember(made, of: peer)
        return made
    }

    private func remember(_ number: Int64, of peer: PeerID) {
        if peers.count >= Self.peersMax { peers = [:] }
        peers[peer] = number
    }

    /// Removes an author without records, since no quota counts peers; but not one that the owner follows, nor one whose
    /// number is in the tables of blobs.
    func forget(author: Int64, in database: Database) throws {
        try database.run(
            """
            DELETE FROM peer WHERE seq = ?1 AND seq <> ?2 AND NOT EXISTS (
              SELECT 1 FROM reaction WHERE target = peer.key AND kind = 7 AND author = ?2 AND holds = 1)
              AND NOT EXISTS (SELECT 1 FROM blob WHERE author = ?1)
              AND NOT EXISTS (SELECT 1 FROM blob_use WHERE persona = ?1 AND persona >= 0)
            """, [.int(author), .int(ownerNumber)])
        guard database.changesCount > 0 else { return }
        // The number may be assigned to another peer.
        peers = [:]
        personas.remove(author)
        floors.forget(author: author)
    }

    // MARK: Personas

    func isPersona(_ author: Int64) -> Bool { personas.contains(author) }

    /// Makes somebody a persona.
    ///
    /// - Returns: their number, if activity on their items has not been entered yet.
    func writes(_ persona: PeerID, in database: Database) throws -> Int64? {
        let known = try peerNumber(persona, in: database)
        if let known, personas.contains(known) { return nil }
        personas.insert(try peerNumberMade(persona, in: database))
        try database.run("INSERT OR IGNORE INTO persona (key) VALUES (?)", [.key(persona.key)])
        return known
    }

    // MARK: Circles

    func circle(of author: Int64, in database: Database) throws -> AuthorCircle {
        if author == ownerNumber { return .own }
        let followed = try followed ?? Set(database.followed(by: owner, andSelf: false))
        self.followed = followed
        return followed.contains(author) ? .followed : .strangers
    }

    /// The owner follows or unfollows somebody.
    func followsChange(in database: Database) throws {
        followed = nil
        try floors.forgetSearches(in: database)
        try StoredSettings.set(.aged, nil, in: database)
    }
}
