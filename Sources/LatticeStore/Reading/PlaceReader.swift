import GRDB
package import LatticeCore
package import LatticeWire

/// Named places, other than around a coordinate: for that see `StoreSnapshot.near`.
package struct PlaceReader: Sendable {
    let access: PersonaAccess

    /// Whether the record that made a place names this person as an editor. Edits never change who may edit.
    package func isEditor(_ peer: PeerID, of place: RecordID) async throws(StoreError) -> Bool {
        try await access.read { database in
            let bytes = try database.one(
                "SELECT bytes FROM record WHERE id = ? AND kind = 17 AND erased = 0", [.key(place.hash)]
            ) { $0.bytes(0) }
            guard let bytes else { return false }
            return try PlaceBody(decoding: Batch.signed(bytes).record.body).editors.contains(peer)
        }
    }

    /// The place as it was made, and as each stored edit left it: the newest first. Empty if it was deleted.
    ///
    /// - Parameter limit: how many of the newest.
    package func versions(of place: RecordID, limit: Int) async throws(StoreError) -> [StoredVersion] {
        try await access.read { database in
            // An edit applies whatever its date, so the place as it was made comes last. One index for each of the two.
            let rows = try database.all(
                """
                SELECT bytes FROM (
                  SELECT bytes, kind, created, id FROM record WHERE topic = ?1 AND kind = 10 AND kind IN (10, 11)
                  UNION ALL SELECT bytes, kind, created, id FROM record WHERE id = ?1 AND kind = 17)
                WHERE EXISTS (SELECT 1 FROM record WHERE id = ?1 AND kind = 17 AND erased = 0) AND bytes IS NOT NULL
                ORDER BY kind, created DESC, id DESC LIMIT ?2
                """, [.key(place.hash), .int(Int64(min(max(limit, 0), pageLimitMax)))]
            ) { $0.bytes(0) }
            return try rows.map { bytes in
                let record = try Batch.signed(bytes).record
                return StoredVersion(
                    author: record.author, date: record.created.wallTime, isOriginal: record.kind == .place,
                    body: try PlaceBody(decoding: record.body))
            }
        }
    }

    /// Unexpired places that are not deleted, newest first.
    ///
    /// - Parameter parent: only parts of this place; `nil` is all places.
    package func newest(
        partOf parent: RecordID? = nil, at now: WallTime, limit: Int, before: TimeMark? = nil
    ) async throws(StoreError) -> [StoredItem] {
        let viewer = access.author
        let mark = before ?? .last
        return try await access.read { database in
            let statement = try RawStatement(
                database,
                """
                SELECT record FROM item
                WHERE \(parent == nil ? "" : "parent = ?5 AND ")kind = 17 AND state = 0 AND (date, record) < (?1, ?2)
                  AND expires > ?3
                ORDER BY date DESC, record DESC LIMIT ?4
                """)
            try statement.bind(mark.date.milliseconds, at: 1)
            try statement.bind(mark.seq, at: 2)
            try statement.bind(now.milliseconds, at: 3)
            try statement.bind(Int64(min(max(limit, 0), pageLimitMax)), at: 4)
            if let parent { try statement.bind(parent.hash, at: 5) }
            var reader = try ItemReader(database, viewer: viewer)
            return try reader.items(try statement.seqs(), now: now)
        }
    }
}

/// A place as somebody made or changed it.
package struct StoredVersion: Hashable, Sendable {
    package let author: PeerID
    package let date: WallTime
    /// It is the place as it was made.
    package let isOriginal: Bool
    package let body: PlaceBody
}
