import GRDB
import LatticeCore
import LatticeWire

/// What others did to personas of this node and to their items, inside a transaction.
struct ActivityTable {
    let database: Database

    /// - Parameter item: the item it was done to; `nil` for a follow.
    func enter(_ row: RecordRow, of persona: Int64, on item: Int64?) throws {
        try database.run(
            "INSERT INTO activity (record, persona, date, kind, item) VALUES (?, ?, ?, ?, ?)",
            [.int(row.seq), .int(persona), .int(row.date), .int(row.kindNumber), .optional(item)])
    }

    /// Enters what others did to a persona's item before the item arrived, or arrived again.
    func enter(on item: RecordRow) throws {
        try database.run(
            """
            INSERT INTO activity (record, persona, date, kind, item)
              SELECT record, ?3, date, kind, ?1 FROM item WHERE parent = ?2 AND kind = 5 AND state = 0 AND author <> ?3
            """, [.int(item.seq), .key(item.id.hash), .int(item.author)])
        try database.run(
            """
            INSERT INTO activity (record, persona, date, kind, item)
              SELECT record, ?3, date, kind, ?1 FROM reaction
              WHERE target = ?2 AND (kind = 6 OR kind = 9 AND ?4 = 8) AND holds = 1 AND author <> ?3
            """, [.int(item.seq), .key(item.id.hash), .int(item.author), .int(item.kindNumber)])
    }

    /// Enters what others have already done to a new persona and their items.
    func enter(ofPersona number: Int64, _ persona: PeerID) throws {
        let items = try database.all(
            "SELECT \(RecordRow.columns) FROM record WHERE author = ? AND kind IN (4, 5, 8, 17)",
            [.int(number)]
        ) { try RecordRow($0) }
        for item in items { try enter(on: item) }
        try database.run(
            """
            INSERT INTO activity (record, persona, date, kind)
              SELECT record, ?1, date, kind FROM reaction WHERE target = ?2 AND kind = 7 AND holds = 1 AND author <> ?1
            """, [.int(number), .key(persona.key)])
    }

    func remove(_ comment: RecordRow) throws {
        try database.run("DELETE FROM activity WHERE record = ?", [.int(comment.seq)])
    }
}
