import GRDB
package import LatticeCore
package import LatticeWire

package struct StoredPrekey: Hashable, Sendable {
    package let prekey: Prekey
    /// The secret, sealed by the caller.
    package let sealed: [UInt8]
    package let isRotating: Bool
    package let made: WallTime
    /// When the first private message sealed to it arrived.
    package let used: WallTime?
    /// When a new rotating prekey replaced it.
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

/// The persona's prekeys, and published prekeys of others.
package struct PrekeyTable: Sendable {
    let access: PersonaAccess

    /// In order of creation.
    package func own() async throws(StoreError) -> [StoredPrekey] {
        let person = access.person
        return try await access.read { try Self.prekeys("WHERE person = ? ORDER BY made, id", [person], in: $0) }
    }

    package func own(_ id: UInt64) async throws(StoreError) -> StoredPrekey? {
        let person = access.person
        return try await access.read {
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

    /// A peer's prekeys with their date of publication; `nil` if there are none or they have expired.
    package func published(by peer: PeerID, at wallTime: WallTime) async throws(StoreError) -> (
        body: PrekeysBody, date: WallTime
    )? {
        try await access.read { database in
            let found = try database.one(
                """
                SELECT bytes, date FROM record WHERE author = (SELECT seq FROM peer WHERE key = ?) AND kind = 13
                  AND topic = x'' AND (\(Schema.replaceable)) AND erased = 0 AND expires > ?
                """, [.key(peer.key), .int(wallTime.milliseconds)]
            ) { (record: try Batch.signed($0.bytes(0)).record, date: WallTime(milliseconds: $0.int(1))) }
            guard let found else { return nil }
            do {
                return (try PrekeysBody(decoding: found.record.body), found.date)
            } catch {
                throw DatabaseError.damaged("prekeys do not decode: \(error)")
            }
        }
    }

    /// The prekeys of a peer to which private messages were sealed here.
    package func used(with peer: PeerID) async throws(StoreError) -> Set<UInt64> {
        try await access.read { database in
            Set(
                try database.all(
                    """
                    SELECT prekey FROM message WHERE peer = ?1 AND prekey IS NOT NULL
                    UNION SELECT prekey FROM room_errand WHERE peer = ?1 AND prekey IS NOT NULL
                    """, [.key(peer.key)]
                ) { UInt64(bitPattern: $0.int(0)) })
        }
    }

    /// Stores new prekeys of the owner's, marks the previous rotating one as replaced, and publishes them in the same
    /// transaction.
    package func publish(
        _ made: [StoredPrekey], at wallTime: WallTime, _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) async throws(StoreError) {
        let (person, visitor) = (access.person, access.visitor)
        try await access.commit { transaction in
            let database = transaction.database
            if let visitor { try Visitors.began(visitor, in: database) }
            if made.contains(where: \.isRotating) {
                try database.run(
                    "UPDATE prekey SET replaced = ? WHERE person = ? AND rotating = 1 AND replaced IS NULL",
                    [.int(wallTime.milliseconds), person])
            }
            for key in made {
                try database.run(
                    "INSERT INTO prekey (id, public, sealed, rotating, made, person) VALUES (?, ?, ?, ?, ?, ?)",
                    [
                        .int(Int64(bitPattern: key.prekey.id)), .key(key.prekey.key), .bytes(key.sealed),
                        .int(key.isRotating ? 1 : 0), .int(key.made.milliseconds), person,
                    ])
            }
            _ = try transaction.enter(access.draft(at: wallTime, waits: true, make))
        }
    }

    /// When a page was full, SQLite moved rows to another page and left their bytes behind. It overwrites only whole
    /// pages, so this deletes all rows and inserts the remaining ones again.
    private static func rewrite(in database: Database) throws {
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

    /// Destroys prekeys: private messages sealed to them can no longer be opened. Their bytes are overwritten in the file, and
    /// the log that held them is truncated.
    package func destroy(_ ids: [UInt64]) async throws(StoreError) {
        if ids.isEmpty { return }
        try await access.commit { transaction in
            let database = transaction.database
            try database.execute(sql: "PRAGMA secure_delete = ON")
            defer { _ = Result { try database.execute(sql: "PRAGMA secure_delete = OFF") } }
            for id in ids {
                try database.run("DELETE FROM prekey WHERE id = ?", [.int(Int64(bitPattern: id))])
            }
            try Self.rewrite(in: database)
        }
        try await access.file.writer.alone { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }
}
