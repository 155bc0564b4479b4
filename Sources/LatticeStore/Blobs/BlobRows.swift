import GRDB
import LatticeCore
import LatticeWire

/// A blob to be added to the table.
struct NewBlobRow: Sendable {
    let name: BlobName
    let blobClass: BlobClass
    let author: PeerID?
    let bytes: [UInt8]?
    let date: WallTime
}

/// The rows of `blob` and `blob_use`, within transactions of others: a use changes in the transaction that changes its source.
enum BlobRows {
    /// What a blob is charged at least: a row and an inode.
    private static let chargedMin: Int64 = 1_024

    static func charged(_ bytes: Int64) -> Int64 { bytes == 0 ? 0 : max(chargedMin, bytes) }

    /// What a complete blob takes: its bytes and its nodes.
    static func diskBytes(of name: BlobName) -> Int64 {
        let shape = BlobShape(name)
        return max(1, name.size) + Int64((shape.pieceCount - shape.leafCount) * BlobShape.leafBytes)
    }

    static func hour(_ wallTime: WallTime) -> Int64 { wallTime.milliseconds / 3_600_000 }

    // MARK: - Reading

    private static let columns = """
        root, size, state, unused,
        EXISTS (SELECT 1 FROM blob_use WHERE blob = blob.seq AND kind <> 2 AND kind <> 3),
        class, (SELECT key FROM peer WHERE peer.seq = blob.author), held, bytes IS NOT NULL
        """

    /// In the words of the partial index.
    static let pending = "SELECT \(columns) FROM blob WHERE state = 0 OR unused = 1 ORDER BY seq"
    static let unused = "SELECT root, size FROM blob WHERE unused = 1 ORDER BY seq LIMIT ?"
    static let usesOver = "DELETE FROM blob_use WHERE until <= ?"
    static let find = "SELECT \(columns) FROM blob WHERE root = ? AND size = ?"

    static func key(_ name: BlobName) -> [Bound] { [.key(name.root), .int(name.size)] }

    static func name(_ row: borrowing RawStatement) throws -> BlobName {
        guard let root = row.bytes32(0), let name = BlobName(root: root, size: row.int(1)) else {
            throw DatabaseError.damaged("a blob has no root or size")
        }
        return name
    }

    static func all(_ sql: String, _ values: [Bound], in database: Database) throws -> [StoredBlob] {
        try database.all(sql, values) { row in
            guard let blobClass = BlobClass(rawValue: row.int(5)) else {
                throw DatabaseError.damaged("a blob has no class")
            }
            return StoredBlob(
                name: try name(row), isComplete: row.int(2) == 1, isUnused: row.int(3) == 1, isShared: row.int(4) == 1,
                blobClass: blobClass, author: row.bytes32(6).map(PeerID.init), heldBytes: row.int(7),
                isInRow: row.int(8) == 1)
        }
    }

    static func one(_ name: BlobName, in database: Database) throws -> StoredBlob? {
        try all(find, key(name), in: database).first
    }

    private static func seq(of name: BlobName, in database: Database) throws -> Int64? {
        try database.one("SELECT seq FROM blob WHERE root = ? AND size = ?", key(name)) { $0.int(0) }
    }

    static func number(of author: PeerID?, in transaction: Transaction) throws -> Int64? {
        guard let author else { return nil }
        return try transaction.state.peerNumberMade(author, in: transaction.database)
    }

    // MARK: - Uses

    /// The key of a use in `blob_use`, besides the blob.
    private struct UseKey {
        let kind: BlobUse.Kind
        var source: Int64 = 0
        var persona: Int64 = -1
        var until: WallTime?
    }

    /// - Returns: `nil` if there is no such record, text or person.
    private static func useKey(_ use: BlobUse, in transaction: Transaction, makesPeer: Bool) throws -> UseKey? {
        let database = transaction.database
        func found(_ sql: String, _ value: Bound, _ kind: BlobUse.Kind) throws -> UseKey? {
            try database.one(sql, [value]) { UseKey(kind: kind, source: $0.int(0)) }
        }
        switch use {
        case .record(let id):
            return try found("SELECT seq FROM record WHERE id = ? AND erased = 0", .key(id.hash), .record)
        case .privateText(let number):
            return try found(
                "SELECT number FROM message WHERE number = ? AND erased = 0", .int(number), .privateText)
        case .roomLine(let number):
            return try found("SELECT number FROM room_line WHERE number = ? AND erased = 0", .int(number), .roomLine)
        case .kept(let person):
            let number =
                makesPeer
                ? try transaction.state.peerNumberMade(person, in: database)
                : try transaction.state.peerNumber(person, in: database)
            return number.map { UseKey(kind: .kept, persona: $0) }
        case .draft(let number, let until): return UseKey(kind: .draft, source: number, until: until)
        case .passing(let until): return UseKey(kind: .passing, until: until)
        }
    }

    /// - Returns: `nil`, with nothing added, if the source of the use is not here.
    static func add(_ blob: NewBlobRow, _ use: BlobUse, in transaction: Transaction) throws -> StoredBlob? {
        guard let use = try useKey(use, in: transaction, makesPeer: true) else { return nil }
        let database = transaction.database
        try add(
            blob.name, blob.blobClass, author: try number(of: blob.author, in: transaction), at: blob.date, use,
            in: database)
        if let bytes = blob.bytes {
            try database.run(
                "UPDATE blob SET state = 1, held = ?, bytes = ? WHERE root = ? AND size = ? AND state = 0",
                [.int(charged(diskBytes(of: blob.name))), .bytes(bytes)] + key(blob.name))
        }
        return try one(blob.name, in: database)
    }

    /// A record that is here names a blob.
    ///
    /// - Parameters:
    ///   - author: the `peer.seq` of who is charged; `nil` is nobody.
    ///   - record: a `record.seq`.
    static func add(
        _ name: BlobName, _ blobClass: BlobClass, author: Int64?, record: Int64, at date: WallTime,
        in database: Database
    ) throws {
        try add(name, blobClass, author: author, at: date, UseKey(kind: .record, source: record), in: database)
    }

    private static func add(
        _ name: BlobName, _ blobClass: BlobClass, author: Int64?, at date: WallTime, _ use: UseKey,
        in database: Database
    ) throws {
        try database.run(
            """
            INSERT INTO blob (root, size, state, class, author, held, used) VALUES (?, ?, 0, ?, ?, 0, ?)
            ON CONFLICT (root, size) DO UPDATE SET
              author = CASE WHEN excluded.class < class THEN excluded.author ELSE author END,
              class = min(class, excluded.class), used = max(used, excluded.used)
            """, key(name) + [.int(blobClass.rawValue), .optional(author), .int(hour(date))])
        guard let seq = try seq(of: name, in: database) else {
            throw DatabaseError.damaged("a blob that was just added is missing")
        }
        try database.run(
            """
            INSERT INTO blob_use (blob, kind, source, persona, until) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (blob, kind, source, persona) DO UPDATE SET until = max(until, excluded.until)
            """,
            [
                .int(seq), .int(use.kind.rawValue), .int(use.source), .int(use.persona),
                .optional(use.until?.milliseconds),
            ])
    }

    static func remove(_ use: BlobUse, of name: BlobName, in transaction: Transaction) throws -> Bool {
        let database = transaction.database
        guard let seq = try seq(of: name, in: database),
            let use = try useKey(use, in: transaction, makesPeer: false)
        else { return false }
        try database.run(
            "DELETE FROM blob_use WHERE blob = ? AND kind = ? AND source = ? AND persona = ?",
            [.int(seq), .int(use.kind.rawValue), .int(use.source), .int(use.persona)])
        let isRemoved = database.changesCount > 0
        if isRemoved, use.persona >= 0 { try forget(peer: use.persona, in: transaction) }
        return isRemoved
    }

    // MARK: - Removing

    /// - Parameter condition: on the row; others stay.
    static func remove(
        _ names: [BlobName], if condition: String, _ setAside: (BlobName) -> Bool, in transaction: Transaction
    ) throws -> [BlobName] {
        let database = transaction.database
        var removed: [BlobName] = []
        for name in names {
            let row = try database.one(
                "SELECT seq, author FROM blob WHERE root = ? AND size = ? AND \(condition)", key(name)
            ) { (seq: $0.int(0), author: $0.optionalInt(1)) }
            guard let row, setAside(name) else { continue }
            let keepers = try database.all(
                "SELECT persona FROM blob_use WHERE blob = ? AND persona >= 0", [.int(row.seq)]
            ) { $0.int(0) }
            try database.run("DELETE FROM blob WHERE seq = ?", [.int(row.seq)])
            removed.append(name)
            for peer in keepers + (row.author.map { [$0] } ?? []) { try forget(peer: peer, in: transaction) }
        }
        return removed
    }

    /// Removes a peer that only a blob kept in the table of peers.
    private static func forget(peer: Int64, in transaction: Transaction) throws {
        let hasRecords = try transaction.database.one(
            "SELECT 1 FROM author_here WHERE author = ? LIMIT 1", [.int(peer)]
        ) { _ in true }
        if hasRecords == nil { try transaction.state.forget(author: peer, in: transaction.database) }
    }
}
