import GRDB
package import LatticeCore
package import LatticeWire

/// A prekey of the owner's, as it is kept.
package struct StoredPrekey: Hashable, Sendable {
    package let prekey: Prekey
    /// The secret, sealed by whoever made it.
    package let sealed: [UInt8]
    package let isRotating: Bool
    package let made: WallTime
    /// When something that was sealed to it came first.
    package let used: WallTime?
    /// When another rotating one came in its stead.
    package let replaced: WallTime?

    package init(
        prekey: Prekey, sealed: [UInt8], isRotating: Bool, made: WallTime, used: WallTime? = nil,
        replaced: WallTime? = nil
    ) {
        self.prekey = prekey
        self.sealed = sealed
        self.isRotating = isRotating
        self.made = made
        self.used = used
        self.replaced = replaced
    }
}

// The owner's prekeys, and those that others publish.
extension Store {
    /// In the order in which they were made.
    package func ownPrekeys() async throws(StoreError) -> [StoredPrekey] {
        let person = person
        return try await read { try Self.prekeys("WHERE person = ? ORDER BY made, id", [person], in: $0) }
    }

    package func ownPrekey(_ id: UInt64) async throws(StoreError) -> StoredPrekey? {
        let person = person
        return try await read {
            try Self.prekeys("WHERE id = ? AND person = ?", [.int(Int64(bitPattern: id)), person], in: $0).first
        }
    }

    private static func prekeys(_ end: String, _ values: [Bound], in database: Database) throws -> [StoredPrekey] {
        try database.all("SELECT id, public, sealed, rotating, made, used, replaced FROM prekey \(end)", values) {
            row in
            guard let key = row.bytes32(1) else { throw DatabaseError.damaged("a prekey has no key") }
            return StoredPrekey(
                prekey: Prekey(id: UInt64(bitPattern: row.int(0)), key: key), sealed: row.bytes(2),
                isRotating: row.int(3) == 1, made: WallTime(milliseconds: row.int(4)),
                used: row.optionalInt(5).map(WallTime.init), replaced: row.optionalInt(6).map(WallTime.init))
        }
    }

    /// The keys with which to seal for somebody, and when they were published; `nil` where none are here or their time is over.
    package func prekeys(of peer: PeerID, at wall: WallTime) async throws(StoreError) -> (
        body: PrekeysBody, date: WallTime
    )? {
        try await read { database in
            let found = try database.one(
                """
                SELECT bytes, date FROM record WHERE author = (SELECT seq FROM peer WHERE key = ?) AND kind = 13
                  AND topic = x'' AND (\(Schema.replaceable)) AND erased = 0 AND expires > ?
                """, [.key(peer.key), .int(wall.milliseconds)]
            ) { (record: try Batch.signed($0.bytes(0)).record, date: WallTime(milliseconds: $0.int(1))) }
            guard let found else { return nil }
            do {
                return (try PrekeysBody(decoding: found.record.body), found.date)
            } catch {
                throw DatabaseError.damaged("prekeys do not decode: \(error)")
            }
        }
    }

    /// Keeps new prekeys of the owner's, and notes that a rotating one among them takes the place of the one before; publishes
    /// them in the same transaction.
    package func publish(
        _ made: [StoredPrekey], at wall: WallTime, _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) async throws(StoreError) {
        let (person, resident) = (person, resident)
        try await writer.commit { transaction in
            let database = transaction.database
            if let resident { try Residents.began(resident, in: database) }
            if made.contains(where: \.isRotating) {
                try database.run(
                    "UPDATE prekey SET replaced = ? WHERE person = ? AND rotating = 1 AND replaced IS NULL",
                    [.int(wall.milliseconds), person])
            }
            for key in made {
                try database.run(
                    "INSERT INTO prekey (id, public, sealed, rotating, made, person) VALUES (?, ?, ?, ?, ?, ?)",
                    [
                        .int(Int64(bitPattern: key.prekey.id)), .key(key.prekey.key), .bytes(key.sealed),
                        .int(key.isRotating ? 1 : 0), .int(key.made.milliseconds), person,
                    ])
            }
            _ = try transaction.enter(self.draft(at: wall, waits: true, make))
        }
    }

    /// Where a page was full SQLite has moved rows to another, and left what they said behind: SQLite clears whole pages, so all go, and those
    /// that stay come again.
    private static func rewritePrekeys(in database: Database) throws {
        let kept = try database.all(
            "SELECT id, public, sealed, rotating, made, used, replaced, person FROM prekey ORDER BY id", []
        ) { row -> [Bound] in
            [
                .int(row.int(0)), .bytes(row.bytes(1)), .bytes(row.bytes(2)), .int(row.int(3)), .int(row.int(4)),
                .optional(row.optionalInt(5)), .optional(row.optionalInt(6)), .bytes(row.bytes(7)),
            ]
        }
        try database.run("DELETE FROM prekey", [])
        for row in kept {
            try database.run(
                """
                INSERT INTO prekey (id, public, sealed, rotating, made, used, replaced, person)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, row)
        }
    }

    /// Destroys prekeys: what was sealed to them cannot be opened any more. The bytes are overwritten in the file, and the log that
    /// held them is cut off.
    package func destroyPrekeys(_ ids: [UInt64]) async throws(StoreError) {
        if ids.isEmpty { return }
        try await writer.commit { transaction in
            let database = transaction.database
            try database.execute(sql: "PRAGMA secure_delete = ON")
            defer { _ = Result { try database.execute(sql: "PRAGMA secure_delete = OFF") } }
            for id in ids {
                try database.run("DELETE FROM prekey WHERE id = ?", [.int(Int64(bitPattern: id))])
            }
            try Self.rewritePrekeys(in: database)
        }
        try await writer.alone { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }
}
