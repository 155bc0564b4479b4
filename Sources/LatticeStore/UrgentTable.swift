import GRDB
package import LatticeCore
import LatticeWire

/// A record that was judged urgent when it came.
package struct StoredUrgent: Hashable, Sendable {
    package let id: RecordID
    package let author: PeerID
    package let seen: WallTime
    /// It came from a neighbour's store.
    package let isFetched: Bool
}

/// Which records were urgent when they came, of all authors. It outlives the records: deleting one gives its author no
/// other.
package struct UrgentTable: Sendable {
    let access: PersonaAccess

    /// How long they are remembered: as long as lines are kept.
    private static let keptMilliseconds: Int64 = 7 * 86_400_000
    /// More than the table of the mesh takes.
    private static let recentMax: Int64 = 32_768

    /// For a column of a statement whose row has an `id`.
    static func isUrgent(_ id: String) -> String { "EXISTS (SELECT 1 FROM urgent WHERE urgent.id = \(id))" }

    /// Those that came after this time, the newest first.
    package func recent(since time: WallTime) async throws(StoreError) -> [StoredUrgent] {
        try await access.read { database in
            try database.all(
                "SELECT id, author, seen, fetched FROM urgent WHERE seen > ? ORDER BY seen DESC LIMIT ?",
                [.int(time.milliseconds), .int(Self.recentMax)]
            ) { row in
                guard let id = row.bytes32(0), let author = row.bytes32(1) else {
                    throw DatabaseError.damaged("an urgent record has no id or author")
                }
                return StoredUrgent(
                    id: RecordID(id), author: PeerID(author), seen: WallTime(milliseconds: row.int(2)),
                    isFetched: row.int(3) == 1)
            }
        }
    }

    /// How many of this persona's came after this time.
    package func countOfOwn(since time: WallTime) async throws(StoreError) -> Int {
        let author = access.author
        return try await access.read { database in
            try database.one(
                "SELECT count(*) FROM urgent WHERE author = ? AND seen > ? AND fetched = 0",
                [.key(author.key), .int(time.milliseconds)]
            ) { Int($0.int(0)) } ?? 0
        }
    }

    static func note(_ record: VerifiedRecord, isFetched: Bool, at now: Int64, in database: Database) throws {
        try database.run(
            "INSERT OR IGNORE INTO urgent (id, author, seen, fetched) VALUES (?, ?, ?, ?)",
            [.key(record.id.hash), .key(record.author.key), .int(now), .int(isFetched ? 1 : 0)])
        try database.run("DELETE FROM urgent WHERE seen < ?", [.int(now - keptMilliseconds)])
    }
}
