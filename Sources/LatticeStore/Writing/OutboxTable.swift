import GRDB
package import LatticeCore
package import LatticeWire

/// Own records that no peer has confirmed.
package struct OutboxTable: Sendable {
    let access: PersonaAccess

    /// Oldest first. Those of a previous identity are no longer sent.
    ///
    /// - Parameter after: the `seq` of the last one seen.
    package func waiting(limit: Int, after: Int64?) async throws(StoreError) -> [(seq: Int64, record: SignedRecord)] {
        let author = access.author
        return try await access.read { database in
            let rows = try database.all(
                """
                SELECT seq, bytes FROM outbox CROSS JOIN record ON record.seq = outbox.record
                WHERE outbox.record > ? AND author = (SELECT peer.seq FROM peer WHERE key = ?)
                ORDER BY outbox.record LIMIT ?
                """, [.int(after ?? 0), .key(author.key), .int(Int64(limit))]
            ) { (seq: $0.int(0), bytes: $0.bytes(1)) }
            return try rows.map { ($0.seq, try Batch.signed($0.bytes)) }
        }
    }

    /// Removes records from the outbox after a peer confirmed them.
    ///
    /// - Returns: the private messages among them.
    @discardableResult
    package func confirmed(_ ids: [RecordID]) async throws(StoreError) -> [StoredMessage] {
        if ids.isEmpty { return [] }
        return try await access.commit { transaction in
            let database = transaction.database
            for id in ids {
                try database.run(
                    "DELETE FROM outbox WHERE record = (SELECT seq FROM record WHERE id = ?)", [.key(id.hash)])
            }
            return try MessageRows.advance(ids, to: .relayed, of: nil, in: database)
        }
    }

    package func newest() async throws(StoreError) -> Int64? {
        try await access.read { database in
            try database.one("SELECT max(record) FROM outbox", []) { $0.optionalInt(0) } ?? nil
        }
    }
}
