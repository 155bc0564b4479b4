import GRDB
package import LatticeCore
package import LatticeWire

/// The card of a mesh as it is stored.
package struct StoredCard: Hashable, Sendable {
    package let id: RecordID
    package let author: PeerID
    /// When it was signed, or when it arrived if that was earlier.
    package let date: WallTime
    package let body: MeshCardBody
}

/// Cards of the mesh. Anybody can sign one; only that of the chosen signer counts.
package struct CardTable: Sendable {
    let access: PersonaAccess

    /// Whose card counts, and that card if it is here and has not expired.
    package func current(at now: WallTime) async throws(StoreError) -> (signer: PeerID?, card: StoredCard?) {
        try await access.read { database in
            guard let signer = try Self.signer(in: database) else { return (nil, nil) }
            return (signer, try Self.card(by: signer, at: now, in: database))
        }
    }

    /// The card of anybody, whether it counts or not.
    package func card(by author: PeerID, at now: WallTime) async throws(StoreError) -> StoredCard? {
        try await access.read { try Self.card(by: author, at: now, in: $0) }
    }

    /// - Parameter signer: `nil` is nobody.
    package func take(_ signer: PeerID?) async throws(StoreError) {
        try await access.commit { transaction in
            let text = signer?.hex
            guard try StoredSettings.value(.cardSigner, in: transaction.database) != text else { return }
            try StoredSettings.set(.cardSigner, text, in: transaction.database)
        }
    }

    /// This person's card, if it counts and was last signed before a date. It has to be published again.
    package func own(olderThan date: WallTime, at now: WallTime) async throws(StoreError) -> StoredCard? {
        let author = access.author
        return try await access.read { database in
            guard try Self.signer(in: database) == author, let card = try Self.card(by: author, at: now, in: database)
            else { return nil }
            return card.date < date ? card : nil
        }
    }

    private static func signer(in database: Database) throws -> PeerID? {
        try StoredSettings.value(.cardSigner, in: database).flatMap { PeerID(hex: $0) }
    }

    private static func card(by author: PeerID, at now: WallTime, in database: Database) throws -> StoredCard? {
        guard let seq = try database.seq(of: author) else { return nil }
        return try database.one(
            """
            SELECT id, date, bytes FROM record WHERE author = ? AND kind = 19 AND topic = x''
              AND (\(Schema.replaceable)) AND erased = 0 AND expires > ?
            """, [.int(seq), .int(now.milliseconds)]
        ) { row in
            guard let id = row.bytes32(0).map({ RecordID($0) }) else {
                throw DatabaseError.damaged("a card has no id")
            }
            return StoredCard(
                id: id, author: author, date: WallTime(milliseconds: row.int(1)), body: try body(row.bytes(2)))
        }
    }

    private static func body(_ bytes: [UInt8]) throws -> MeshCardBody {
        do {
            return try MeshCardBody(decoding: try Batch.signed(bytes).record.body)
        } catch let error as WireError {
            throw DatabaseError.damaged("a card is not of its kind: \(error)")
        }
    }
}
