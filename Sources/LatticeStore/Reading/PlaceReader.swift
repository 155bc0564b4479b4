import GRDB
package import LatticeCore
import LatticeWire

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
