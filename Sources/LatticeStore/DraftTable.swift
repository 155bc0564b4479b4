import GRDB
package import LatticeCore
package import LatticeWire

/// A post that its author keeps until they publish it.
package struct StoredDraft: Hashable, Sendable {
    /// Its number in this store, which changes when the draft is changed and is never given twice.
    package let seq: Int64
    /// Its author names it by this number.
    package let number: Int
    /// With the place where it was written.
    package let body: PostBody
    package let written: WallTime
    /// In seconds; `nil` if its author has not said how long the post will last.
    package let lifetime: UInt32?
}

/// A draft to store.
package struct NewDraft: Hashable, Sendable {
    package let body: PostBody
    package let written: WallTime
    package let lifetime: UInt32?

    package init(_ body: PostBody, written: WallTime, lifetime: UInt32? = nil) {
        (self.body, self.written, self.lifetime) = (body, written, lifetime)
    }
}

/// The drafts of one persona.
package struct DraftTable: Sendable {
    let access: PersonaAccess

    /// The most drafts that one persona keeps.
    package static let draftsMax = 500
    /// The most drafts with photos that one persona keeps. A photo may take a MiB.
    package static let photosMax = 50

    package enum Kept: Hashable, Sendable {
        case kept([StoredDraft])
        /// There would be too many of them, or too many with photos. Nothing was stored.
        case full(withPhotos: Bool)
    }

    /// Stores all or none, with the next numbers.
    package func keep(_ drafts: [NewDraft]) async throws(StoreError) -> Kept {
        let person = access.person
        return try await access.commit { transaction in
            let database = transaction.database
            let (count, photos, last) =
                try database.one(
                    "SELECT count(*), count(photo), coalesce(max(number), 0) FROM draft WHERE person = ?", [person]
                ) { ($0.int(0), $0.int(1), $0.int(2)) } ?? (0, 0, 0)
            guard Int(count) + drafts.count <= Self.draftsMax else { return .full(withPhotos: false) }
            let newPhotos = drafts.count { $0.body.photo != nil }
            guard newPhotos == 0 || Int(photos) + newPhotos <= Self.photosMax else { return .full(withPhotos: true) }
            return .kept(
                try drafts.enumerated().map { index, draft in
                    try Self.insert(draft, number: Int(last) + index + 1, of: person, in: database)
                })
        }
    }

    /// In the order in which they were written.
    package func all() async throws(StoreError) -> [StoredDraft] {
        let person = access.person
        return try await access.read { database in
            try database.all("\(Self.select) WHERE person = ? ORDER BY written, number", [person], Self.draft)
        }
    }

    package func draft(_ number: Int) async throws(StoreError) -> StoredDraft? {
        let person = access.person
        return try await access.read { try Self.draft(number, of: person, in: $0) }
    }

    /// Replaces the words of a draft, unless it was changed, published or deleted meanwhile.
    ///
    /// - Returns: the draft as it is now.
    package func change(_ old: StoredDraft, to new: NewDraft) async throws(StoreError) -> StoredDraft? {
        let person = access.person
        return try await access.commit { transaction in
            let database = transaction.database
            guard try Self.draft(old.number, of: person, in: database)?.seq == old.seq else { return nil }
            try Self.remove(old.seq, in: database)
            return try Self.insert(new, number: old.number, of: person, in: database)
        }
    }

    /// Deletes all of these or, if one is not here, none.
    ///
    /// - Returns: the first that is not here.
    package func delete(_ numbers: [Int]) async throws(StoreError) -> Int? {
        let person = access.person
        return try await access.commit { transaction in
            let database = transaction.database
            var found: [Int64] = []
            for number in numbers {
                guard let draft = try Self.draft(number, of: person, in: database) else { return number }
                found.append(draft.seq)
            }
            for seq in found { try Self.remove(seq, in: database) }
            return nil
        }
    }

    // MARK: - In a transaction

    static func isHere(_ seq: Int64, in database: Database) throws -> Bool {
        try database.one("SELECT 1 FROM draft WHERE seq = ?", [.int(seq)]) { $0.int(0) } != nil
    }

    static func remove(_ seq: Int64, in database: Database) throws {
        try database.run("DELETE FROM draft WHERE seq = ?", [.int(seq)])
    }

    private static let select = "SELECT seq, number, body, written, lifetime FROM draft"

    private static func draft(_ number: Int, of person: Bound, in database: Database) throws -> StoredDraft? {
        try database.one("\(select) WHERE person = ? AND number = ?", [person, .int(Int64(number))], draft)
    }

    private static func draft(_ row: borrowing RawStatement) throws -> StoredDraft {
        let body: PostBody
        do {
            body = try PostBody(decoding: row.bytes(2))
        } catch {
            throw DatabaseError.damaged("draft \(row.int(0)) is no post: \(error)")
        }
        return StoredDraft(
            seq: row.int(0), number: Int(row.int(1)), body: body, written: WallTime(milliseconds: row.int(3)),
            lifetime: row.optionalInt(4).map { UInt32(clamping: $0) })
    }

    private static func insert(
        _ draft: NewDraft, number: Int, of person: Bound, in database: Database
    ) throws -> StoredDraft {
        let photo = draft.body.photo?.blob
        try database.run(
            """
            INSERT INTO draft (person, number, written, lifetime, body, photo, photo_size) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                person, .int(Int64(number)), .int(draft.written.milliseconds),
                .optional(draft.lifetime.map(Int64.init)),
                .bytes(draft.body.body), photo.map { .key($0.root) } ?? .null, .optional(photo?.size),
            ])
        return StoredDraft(
            seq: database.lastInsertedRowID, number: number, body: draft.body, written: draft.written,
            lifetime: draft.lifetime)
    }
}
