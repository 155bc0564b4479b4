import GRDB
package import LatticeCore
package import LatticeWire

// People who speak through the owner's node.
extension Store {
    /// `nil` for the owner, whose marks stand elsewhere.
    var resident: PeerID? { author == owner ? nil : author }

    /// Those for whom something waits: lines that are not sealed, opened, confirmed or lapsed; rooms, and keys to them.
    package func personsWithErrands() async throws(StoreError) -> Set<PeerID> {
        try await read { database in
            let keys = try database.all(
                """
                SELECT DISTINCT person FROM letter INDEXED BY letter_open WHERE mine = 1 AND state < 2
                UNION SELECT DISTINCT person FROM letter INDEXED BY letter_owed WHERE owes = 1
                UNION SELECT person FROM room UNION SELECT person FROM room_offer
                """, []
            ) { $0.bytes32(0) }
            return Set(keys.compactMap { $0.map(PeerID.init) })
        }
    }

    /// Those for whom a sealed record may be that they have not tried to open.
    package func personsBehind() async throws(StoreError) -> Set<PeerID> {
        try await read { database in
            let keys = try database.all(
                "SELECT person FROM resident WHERE opened < (SELECT max(seq) FROM record WHERE kind = 12)", []
            ) { $0.bytes32(0) }
            return Set(keys.compactMap { $0.map(PeerID.init) })
        }
    }

    /// The newest sealed record's number; 0 if there is none.
    package func lastSealedNumber() async throws(StoreError) -> Int64 {
        try await read { try Residents.lastSealed(in: $0) }
    }

    /// Notes that nothing up to a number is for these.
    package func passed(_ persons: [PeerID], upTo end: Int64) async throws(StoreError) {
        guard !persons.isEmpty else { return }
        try await writer.commit { transaction in
            let database = transaction.database
            for person in persons {
                try database.run(
                    "UPDATE resident SET opened = ?1 WHERE person = ?2 AND opened < ?1",
                    [.int(end), .key(person.key)])
            }
        }
    }

    /// When somebody said last through which node they speak; `nil` if they did not, or its time is over.
    package func residence(of peer: PeerID, at host: PeerID, at wall: WallTime) async throws(StoreError) -> WallTime? {
        try await read { database in
            try database.one(
                """
                SELECT date FROM record WHERE author = (SELECT seq FROM peer WHERE key = ?) AND kind = 14 AND topic = ?
                  AND (\(Schema.replaceable)) AND erased = 0 AND expires > ?
                """, [.key(peer.key), .key(host.key), .int(wall.milliseconds)]
            ) { WallTime(milliseconds: $0.int(0)) }
        }
    }

    /// What these say last of through whose node they speak; nobody has judged whether it is so.
    package func residences(of peers: [PeerID], at wall: WallTime) async throws(StoreError) -> [SignedRecord] {
        try await read { database in
            try peers.compactMap { peer in
                let found = try database.one(
                    """
                    SELECT bytes FROM record WHERE author = (SELECT seq FROM peer WHERE key = ?) AND kind = 14
                      AND (\(Schema.replaceable)) AND erased = 0 AND expires > ? ORDER BY created DESC LIMIT 1
                    """, [.key(peer.key), .int(wall.milliseconds)]
                ) { $0.bytes(0) }
                return try found.map { try Batch.signed($0) }
            }
        }
    }
}

/// Up to which record letters were looked for, inside a transaction.
enum Residents {
    /// - Parameter person: `nil` is the owner.
    static func opened(by person: PeerID?, in database: Database) throws -> Int64 {
        guard let person else { return Int64(try Settings.count(.opened, in: database)) }
        let known = try database.one("SELECT opened FROM resident WHERE person = ?", [.key(person.key)]) { $0.int(0) }
        // Without keys nobody has written to them.
        return try known ?? lastSealed(in: database)
    }

    static func note(opened seq: Int64, by person: PeerID?, in database: Database) throws {
        guard let person else { return try Settings.set(.opened, "\(seq)", in: database) }
        try database.run(
            """
            INSERT INTO resident (person, opened) VALUES (?, ?)
            ON CONFLICT (person) DO UPDATE SET opened = max(opened, excluded.opened)
            """, [.key(person.key), .int(seq)])
    }

    /// They publish keys: what was sealed before is for nobody who has none.
    static func began(_ person: PeerID, in database: Database) throws {
        try database.run(
            "INSERT OR IGNORE INTO resident (person, opened) VALUES (?, ?)",
            [.key(person.key), .int(try lastSealed(in: database))])
    }

    static func lastSealed(in database: Database) throws -> Int64 {
        try database.one("SELECT max(seq) FROM record WHERE kind = 12", []) { $0.optionalInt(0) ?? 0 } ?? 0
    }
}
