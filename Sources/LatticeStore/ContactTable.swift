import GRDB
package import LatticeCore

/// How a visitor marked a person: with the date of each mark.
package struct StoredContact: Hashable, Sendable {
    package let peer: PeerID
    /// The last name it was known by.
    package var name: String?
    /// The visitor's name for it.
    package var petname: String?
    package var added: WallTime?
    package var verified: WallTime?
    package var blocked: WallTime?
    package var ignored: WallTime?

    package init(
        peer: PeerID, name: String?, petname: String?, added: WallTime?, verified: WallTime?, blocked: WallTime?,
        ignored: WallTime?
    ) {
        (self.peer, self.name, self.petname) = (peer, name, petname)
        (self.added, self.verified, self.blocked, self.ignored) = (added, verified, blocked, ignored)
    }
}

/// What one visitor marked.
package struct StoredMarks: Hashable, Sendable {
    package var contacts: [StoredContact]
    /// Muted rooms, by name.
    package var muted: [String]

    package init(_ contacts: [StoredContact], muted: [String] = []) {
        (self.contacts, self.muted) = (contacts, muted)
    }
}

/// People and rooms that one visitor marked.
package struct ContactTable: Sendable {
    let access: PersonaAccess

    /// With the person as its argument; nobody for the owner, as no records of authors whom the owner blocks are stored.
    static let blockedPeers = "SELECT peer FROM contact WHERE person = ? AND blocked IS NOT NULL"

    init(access: PersonaAccess) {
        precondition(access.visitor != nil, "the owner's contacts are in a file")
        self.access = access
    }

    /// Runs on the calling thread: one range of each of two tables.
    package func all() throws(StoreError) -> StoredMarks {
        try access.file.readInPlace { try Self.all(of: access.author, in: $0) }
    }

    /// Changes marks in one transaction.
    ///
    /// - Parameter change: returns what is marked now, or `nil` to change nothing.
    package func update<Value: Sendable>(
        _ change: @escaping @Sendable (StoredMarks) -> (Value, marked: StoredMarks?)
    ) async throws(StoreError) -> Value {
        let author = access.author
        return try await access.commit { transaction in
            let database = transaction.database
            let before = try Self.all(of: author, in: database)
            let (value, marked) = change(before)
            guard let marked else { return value }
            try Self.replace(before.contacts, by: marked.contacts, of: author, in: database)
            for room in before.muted where !marked.muted.contains(room) {
                try database.run(
                    "DELETE FROM muted_room WHERE person = ? AND room = ?", [.key(author.key), .text(room)])
            }
            for room in marked.muted where !before.muted.contains(room) {
                try database.run(
                    "INSERT INTO muted_room (person, room) VALUES (?, ?)", [.key(author.key), .text(room)])
            }
            return value
        }
    }

    private static func replace(
        _ before: [StoredContact], by marked: [StoredContact], of author: PeerID, in database: Database
    ) throws {
        let (old, new) = (Set(before), Set(marked))
        for contact in before where !new.contains(contact) {
            try database.run(
                "DELETE FROM contact WHERE person = ? AND peer = ?", [.key(author.key), .key(contact.peer.key)])
        }
        for contact in marked where !old.contains(contact) {
            try database.run(
                """
                INSERT INTO contact (person, peer, name, petname, added, verified, blocked, ignored)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .key(author.key), .key(contact.peer.key), .optional(contact.name), .optional(contact.petname),
                    .optional(contact.added?.milliseconds), .optional(contact.verified?.milliseconds),
                    .optional(contact.blocked?.milliseconds), .optional(contact.ignored?.milliseconds),
                ])
        }
    }

    private static func all(of author: PeerID, in database: Database) throws -> StoredMarks {
        let muted = try database.all(
            "SELECT room FROM muted_room WHERE person = ? ORDER BY room", [.key(author.key)]
        ) { $0.text(0) }
        return StoredMarks(try contacts(of: author, in: database), muted: muted)
    }

    private static func contacts(of author: PeerID, in database: Database) throws -> [StoredContact] {
        try database.all(
            """
            SELECT peer, name, petname, added, verified, blocked, ignored FROM contact WHERE person = ? ORDER BY peer
            """, [.key(author.key)]
        ) { row in
            guard let peer = row.bytes32(0) else { throw DatabaseError.damaged("a contact has no key") }
            func date(_ column: Int32) -> WallTime? { row.optionalInt(column).map(WallTime.init(milliseconds:)) }
            return StoredContact(
                peer: PeerID(peer), name: row.optionalText(1), petname: row.optionalText(2), added: date(3),
                verified: date(4), blocked: date(5), ignored: date(6))
        }
    }
}
