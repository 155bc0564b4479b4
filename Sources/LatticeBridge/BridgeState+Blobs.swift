import Foundation
import GRDB
import LatticeCore
import LatticeWire

// Pictures and files: whose pieces must be published, and which the broker has.
extension BridgeState {
    /// A blob that is to follow a record which names it.
    struct Wish: Hashable, Sendable {
        let name: BlobName
        let record: RecordID
        /// When the node is asked for it next.
        let due: WallTime
        let attempts: Int
        let added: WallTime
        let number: Int64
    }

    /// A blob that the node does not get in this time is given up.
    private static let wishDays: Int64 = 7
    /// As long as pieces stay at the broker.
    private static let blobDays: Int64 = 31
    private static let dayMilliseconds: Int64 = 86_400_000
    private static let firstPause: Int64 = 5_000
    private static let pauseMax: Int64 = 3_600_000

    static let blobTables = """
        CREATE TABLE IF NOT EXISTS blob (
            root BLOB NOT NULL CHECK (length(root) = 32), size INTEGER NOT NULL, next INTEGER NOT NULL, heard INTEGER NOT NULL,
            PRIMARY KEY (root, size)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS wish (
            number INTEGER PRIMARY KEY, root BLOB NOT NULL CHECK (length(root) = 32), size INTEGER NOT NULL,
            record BLOB NOT NULL CHECK (length(record) = 32), due INTEGER NOT NULL, attempts INTEGER NOT NULL,
            added INTEGER NOT NULL, UNIQUE (root, size, record)
        ) STRICT;
        CREATE INDEX IF NOT EXISTS wish_due ON wish (due, number);
        """

    private static func key(_ name: BlobName) -> [any DatabaseValueConvertible] { [Data(name.root.bytes), name.size] }

    // MARK: - What is to follow

    /// These blobs follow their records. One that waits already waits on.
    func awaits(_ blobs: [(name: BlobName, record: RecordID)], at now: WallTime) throws(Fault) {
        try write { database in
            for blob in blobs {
                try database.execute(
                    sql: """
                        INSERT OR IGNORE INTO wish (root, size, record, due, attempts, added) VALUES (?, ?, ?, ?, 0, ?)
                        """,
                    arguments: StatementArguments(
                        Self.key(blob.name) + [Data(blob.record.hash.bytes), now.milliseconds, now.milliseconds]))
            }
        }
    }

    /// What is due first; `nil` if nothing waits.
    func nextWish() throws(Fault) -> Wish? {
        try read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT root, size, record, due, attempts, added, number FROM wish ORDER BY due, number LIMIT 1
                    """)
            return try row.map { row in
                guard let root = Bytes32(Array(row[0] as Data)), let name = BlobName(root: root, size: row[1]),
                    let record = Bytes32(Array(row[2] as Data))
                else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
                return Wish(
                    name: name, record: RecordID(record), due: WallTime(milliseconds: row[3]), attempts: row[4],
                    added: WallTime(milliseconds: row[5]), number: row[6])
            }
        }
    }

    /// A clock that was far ahead when something was postponed is right now.
    func mendWishes(at now: WallTime) throws(Fault) {
        try write { database in
            try database.execute(
                sql: "UPDATE wish SET due = ?1, added = min(added, ?1) WHERE due > ?2 OR added > ?1",
                arguments: [now.milliseconds, now.milliseconds + Self.pauseMax])
        }
    }

    /// It is at the broker, or does not cross any more.
    func forget(_ wish: Wish) throws(Fault) {
        try write { try $0.execute(sql: "DELETE FROM wish WHERE number = ?", arguments: [wish.number]) }
    }

    /// The node does not have the blob now. It is asked again after 5 seconds, 10, and so on up to an hour, for a week.
    func postpone(_ wish: Wish, at now: WallTime) throws(Fault) {
        guard now.milliseconds - wish.added.milliseconds < Self.wishDays * Self.dayMilliseconds else {
            return try forget(wish)
        }
        let pause = min(Self.pauseMax, Self.firstPause << Int64(min(wish.attempts, 20)))
        try write { database in
            try database.execute(
                sql: "UPDATE wish SET due = ?, attempts = attempts + 1 WHERE number = ?",
                arguments: [now.milliseconds + pause, wish.number])
        }
    }

    // MARK: - What is there

    /// The broker has all pieces of the blob before this one.
    func there(of name: BlobName) throws(Fault) -> Int {
        try read { database in
            try Int.fetchOne(
                database, sql: "SELECT next FROM blob WHERE root = ? AND size = ?",
                arguments: StatementArguments(Self.key(name))) ?? 0
        }
    }

    /// The broker has all pieces of the blob before `next`.
    func isThere(_ name: BlobName, upTo next: Int, at now: WallTime) throws(Fault) {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO blob VALUES (?, ?, ?, ?)
                    ON CONFLICT (root, size) DO UPDATE SET next = max(next, excluded.next), heard = excluded.heard
                    """,
                arguments: StatementArguments(Self.key(name) + [next, now.milliseconds]))
        }
    }

    /// The broker delivered these pieces.
    func came(_ pieces: [(name: BlobName, number: Int)], at now: WallTime) throws(Fault) {
        try write { database in
            for piece in pieces {
                // Without those before it a blob is not complete there.
                let sql =
                    piece.number == 0
                    ? "INSERT OR IGNORE INTO blob VALUES (?, ?, 1, ?)"
                    : "UPDATE blob SET next = next + 1, heard = ?3 WHERE root = ?1 AND size = ?2 AND next = ?4"
                try database.execute(
                    sql: sql,
                    arguments: StatementArguments(
                        Self.key(piece.name) + [now.milliseconds] + (piece.number == 0 ? [] : [piece.number])))
            }
            try database.execute(
                sql: "DELETE FROM blob WHERE heard < ?",
                arguments: [now.milliseconds - Self.blobDays * Self.dayMilliseconds])
        }
    }
}
