import GRDB
package import LatticeCore
import LatticeWire

// Private messages of all personas of this node.
extension PrivateMessageTable {
    /// Personas with pending work: lines and acts to seal, lines and files to confirm, lines to lapse, private messages to open, rooms and keys to
    /// them.
    package func personsWithErrands() async throws(StoreError) -> Set<PeerID> {
        try await access.read { database in
            let keys = try database.all(
                """
                SELECT DISTINCT person FROM message INDEXED BY message_open WHERE mine = 1 AND state < 2
                UNION SELECT DISTINCT person FROM message INDEXED BY message_owed WHERE owes = 1
                UNION SELECT DISTINCT person FROM message INDEXED BY message_file_owed
                  WHERE file_state = 1 AND file_id IS NOT NULL
                UNION SELECT DISTINCT person FROM line_act INDEXED BY line_act_unsealed WHERE record IS NULL
                UNION SELECT person FROM room UNION SELECT person FROM room_offer
                """, []
            ) { $0.bytes32(0) }
            return Set(keys.compactMap { $0.map(PeerID.init) })
        }
    }

    /// Personas who have not tried to open all sealed records.
    package func personsBehind() async throws(StoreError) -> Set<PeerID> {
        try await access.read { database in
            let keys = try database.all(
                "SELECT person FROM visitor WHERE opened < (SELECT max(seq) FROM record WHERE kind = 12)", []
            ) { $0.bytes32(0) }
            return Set(keys.compactMap { $0.map(PeerID.init) })
        }
    }

    /// The number of the newest sealed record; 0 if there is none.
    package func lastSealedNumber() async throws(StoreError) -> Int64 {
        try await access.read { try Visitors.lastSealed(in: $0) }
    }

    /// Sealed records by any author, in order of arrival.
    package func sealed(after seq: Int64, limit: Int) async throws(StoreError) -> [ArrivedMessage] {
        try await access.read { try $0.sealedRecords(after: seq, limit: limit) }
    }

    /// Notes that no record up to a number is for these personas.
    package func passed(_ persons: [PeerID], upTo end: Int64) async throws(StoreError) {
        guard !persons.isEmpty else { return }
        try await access.commit { transaction in
            let database = transaction.database
            for person in persons {
                try database.run(
                    "UPDATE visitor SET opened = ?1 WHERE person = ?2 AND opened < ?1",
                    [.int(end), .key(person.key)])
            }
        }
    }
}

/// The number up to which private messages were tried, inside a transaction.
enum Visitors {
    /// - Parameter person: `nil` is the owner.
    static func opened(by person: PeerID?, in database: Database) throws -> Int64 {
        guard let person else { return Int64(try StoredSettings.count(.opened, in: database)) }
        let known = try database.one("SELECT opened FROM visitor WHERE person = ?", [.key(person.key)]) { $0.int(0) }
        // Without published keys nobody has written to them.
        return try known ?? lastSealed(in: database)
    }

    static func note(opened seq: Int64, by person: PeerID?, in database: Database) throws {
        guard let person else { return try StoredSettings.set(.opened, "\(seq)", in: database) }
        try database.run(
            """
            INSERT INTO visitor (person, opened) VALUES (?, ?)
            ON CONFLICT (person) DO UPDATE SET opened = max(opened, excluded.opened)
            """, [.key(person.key), .int(seq)])
    }

    /// Starts with the keys that they publish now: no earlier private message can be for them.
    static func began(_ person: PeerID, in database: Database) throws {
        try database.run(
            "INSERT OR IGNORE INTO visitor (person, opened) VALUES (?, ?)",
            [.key(person.key), .int(try lastSealed(in: database))])
    }

    static func lastSealed(in database: Database) throws -> Int64 {
        try database.one("SELECT max(seq) FROM record WHERE kind = 12", []) { $0.optionalInt(0) ?? 0 } ?? 0
    }
}
