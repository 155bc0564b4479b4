import GRDB
package import LatticeCore
package import LatticeWire

/// What somebody has said about crossing bridges, as it is stored.
package struct StoredCrossing: Hashable, Sendable {
    /// When it was said, or when it arrived if that was earlier.
    package let date: WallTime
    package let expires: WallTime
    package let body: CrossingBody
}

/// What authors let cross bridges.
package struct CrossingTable: Sendable {
    let access: PersonaAccess

    /// This persona's word; `nil` if there is none, so that nothing crosses.
    package func own(at now: WallTime) async throws(StoreError) -> StoredCrossing? {
        let author = access.author
        return try await access.read { database in
            guard let number = try database.seq(of: author) else { return nil }
            return try Self.word(of: number, at: now, in: database)
        }
    }

    /// Whether anybody whose records are here lets something cross.
    package func isAnybodyCrossing(at now: WallTime) async throws(StoreError) -> Bool {
        try await access.read { database in
            var isAny = false
            // In this order, since the index of replaceable records begins with the author.
            try database.each(
                """
                SELECT r.bytes FROM peer AS p CROSS JOIN record AS r ON r.author = p.seq AND r.kind = 20 AND r.topic = x''
                  AND (\(Schema.replaceable)) AND r.erased = 0 AND r.expires > ?
                """, [.int(now.milliseconds)]
            ) { row in
                isAny = try Self.body(row.bytes(0)).rooms != nil
                return !isAny
            }
            return isAny
        }
    }

    /// - Parameter author: a `peer.seq`.
    static func word(of author: Int64, at now: WallTime, in database: Database) throws -> StoredCrossing? {
        try database.one(
            """
            SELECT date, expires, bytes FROM record WHERE author = ? AND kind = 20 AND topic = x''
              AND (\(Schema.replaceable)) AND erased = 0 AND expires > ?
            """, [.int(author), .int(now.milliseconds)]
        ) { row in
            StoredCrossing(
                date: WallTime(milliseconds: row.int(0)), expires: WallTime(milliseconds: row.int(1)),
                body: try body(row.bytes(2)))
        }
    }

    private static func body(_ bytes: [UInt8]) throws -> CrossingBody {
        do {
            return try CrossingBody(decoding: try Batch.signed(bytes).record.body)
        } catch let error as WireError {
            throw DatabaseError.damaged("a word about crossing is not of its kind: \(error)")
        }
    }
}
