import Foundation
import GRDB
package import LatticeCore
package import LatticeWire

// Pictures and files whose pieces are to be published.
extension BridgeState {
    package struct Blob: Hashable, Sendable {
        package let name: BlobName
        /// A record that names it.
        package let record: RecordID
        /// The broker has all pieces before this one.
        package let next: Int
        /// When the node is asked for it next.
        package let due: WallTime
        let attempts: Int
        let added: WallTime
    }

    /// A blob that the node does not get in this time is given up.
    private static let blobDays: Int64 = 7
    private static let firstPause: Int64 = 5_000
    private static let pauseMax: Int64 = 3_600_000

    static let blobTable = """
        CREATE TABLE IF NOT EXISTS blob (
            number INTEGER PRIMARY KEY, root BLOB NOT NULL CHECK (length(root) = 32), size INTEGER NOT NULL,
            record BLOB NOT NULL CHECK (length(record) = 32), next INTEGER NOT NULL, due INTEGER NOT NULL,
            attempts INTEGER NOT NULL, added INTEGER NOT NULL, UNIQUE (root, size)
        ) STRICT;
        CREATE INDEX IF NOT EXISTS blob_due ON blob (due, number);
        """

    /// These blobs follow their records. One that waits already waits on.
    package func awaits(_ blobs: [(name: BlobName, record: RecordID)], at now: WallTime) throws(Fault) {
        try write { database in
            for blob in blobs {
                try database.execute(
                    sql: """
                        INSERT OR IGNORE INTO blob (root, size, record, next, due, attempts, added)
                        VALUES (?, ?, ?, 0, ?, 0, ?)
                        """,
                    arguments: [
                        Data(blob.name.root.bytes), blob.name.size, Data(blob.record.hash.bytes), now.milliseconds,
                        now.milliseconds,
                    ])
            }
        }
    }

    /// The blob that is due first; `nil` if none waits.
    package func nextBlob() throws(Fault) -> Blob? {
        try read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT root, size, record, next, due, attempts, added FROM blob ORDER BY due, number LIMIT 1
                    """)
            return try row.map { row in
                guard let root = Bytes32(Array(row[0] as Data)), let name = BlobName(root: root, size: row[1]),
                    let record = Bytes32(Array(row[2] as Data))
                else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
                return Blob(
                    name: name, record: RecordID(record), next: row[3], due: WallTime(milliseconds: row[4]),
                    attempts: row[5], added: WallTime(milliseconds: row[6]))
            }
        }
    }

    /// The broker has all pieces of the blob before this one.
    package func published(_ name: BlobName, upTo next: Int) throws(Fault) {
        try write { database in
            try database.execute(
                sql: "UPDATE blob SET next = ? WHERE root = ? AND size = ?",
                arguments: [next, Data(name.root.bytes), name.size])
        }
    }

    /// The blob is published, or no record names it any more.
    package func forget(_ name: BlobName) throws(Fault) {
        try write { database in
            try database.execute(
                sql: "DELETE FROM blob WHERE root = ? AND size = ?", arguments: [Data(name.root.bytes), name.size])
        }
    }

    /// The node does not have the blob now. It is asked again after 5 seconds, 10, and so on up to an hour, for a week.
    package func postpone(_ blob: Blob, at now: WallTime) throws(Fault) {
        guard now.milliseconds - blob.added.milliseconds < Self.blobDays * 86_400_000 else {
            return try forget(blob.name)
        }
        let pause = min(Self.pauseMax, Self.firstPause << Int64(min(blob.attempts, 20)))
        try write { database in
            try database.execute(
                sql: "UPDATE blob SET due = ?, attempts = attempts + 1 WHERE root = ? AND size = ?",
                arguments: [now.milliseconds + pause, Data(blob.name.root.bytes), blob.name.size])
        }
    }
}
