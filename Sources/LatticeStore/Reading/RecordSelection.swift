import GRDB
package import LatticeCore
package import LatticeGeo
package import LatticeWire

/// Selects records; a field that is `nil` selects all.
package struct RecordSelection: Hashable, Sendable {
    package var author: PeerID?
    /// Excludes older records.
    package var since: WallTime?
    /// Posts and events inside, everything about them, and their authors' profiles.
    package var items: Circle?

    package init(author: PeerID? = nil, since: WallTime? = nil, items: Circle? = nil) {
        self.author = author
        self.since = since
        self.items = items
    }
}

extension CatalogueReader {
    /// Signed bytes in order of arrival, as bundles hold them.
    ///
    /// - Parameter seq: the last one seen, or 0. Fewer than `limit` are returned only at the end.
    package func records(after seq: Int64, limit: Int, where selection: RecordSelection) async throws(StoreError)
        -> [(seq: Int64, bytes: [UInt8])]
    {
        try await access.read { database in
            var scan = SelectionScan(database: database, selection: selection)
            return try scan.records(after: seq, limit: limit)
        }
    }

    /// Those that are stored, in the given order.
    package func signed(_ ids: [RecordID]) async throws(StoreError) -> [SignedRecord] {
        try await access.read { database in
            try ids.compactMap { id in
                try database.one("SELECT bytes FROM record WHERE id = ? AND erased = 0", [.key(id.hash)]) {
                    try Batch.signed($0.bytes(0))
                }
            }
        }
    }
}

/// Reads the records once and checks for each whether it is selected; it collects nothing in advance.
private struct SelectionScan {
    /// Rows read in one query.
    private static let portion = 256

    let database: Database
    let selection: RecordSelection
    /// By `peer.seq`: whether the peer has written something inside.
    private var writesInside: [Int64: Bool] = [:]

    init(database: Database, selection: RecordSelection) {
        self.database = database
        self.selection = selection
    }

    mutating func records(after seq: Int64, limit: Int) throws -> [(seq: Int64, bytes: [UInt8])] {
        var found: [(seq: Int64, bytes: [UInt8])] = []
        var last = seq
        var author: Int64 = -1
        if let peer = selection.author {
            let known = try database.one("SELECT seq FROM peer WHERE key = ?", [.key(peer.key)]) { $0.int(0) }
            guard let known else { return [] }
            author = known
        }
        while found.count < limit {
            let rows = try database.all(
                """
                SELECT \(RecordRow.columns) FROM record
                WHERE seq > ?1 AND erased = 0 AND (?2 < 0 OR author = ?2) AND date >= ?3 ORDER BY seq LIMIT ?4
                """,
                [
                    .int(last), .int(author), .int(selection.since?.milliseconds ?? .min), .int(Int64(Self.portion)),
                ]
            ) { try RecordRow($0) }
            guard let end = rows.last?.seq else { break }
            for row in rows where try found.count < limit && isWanted(row) {
                let bytes = try database.one("SELECT bytes FROM record WHERE seq = ?", [.int(row.seq)]) { $0.bytes(0) }
                if let bytes { found.append((row.seq, bytes)) }
            }
            last = end
        }
        return found
    }

    private mutating func isWanted(_ row: RecordRow) throws -> Bool {
        guard let circle = selection.items else { return true }
        switch row.kind {
        case .profile: return try writesInside(row.author, circle)
        case .post, .event, .place: return try ItemPlaces(database: database).isInside(row.id.hash, circle)
        case .comment, .like, .attendance, .edit, .deletion:
            guard let target = Bytes32(row.topic) else { return false }
            return try ItemPlaces(database: database).isInside(target, circle)
        default: return false
        }
    }

    private mutating func writesInside(_ author: Int64, _ circle: Circle) throws -> Bool {
        if let known = writesInside[author] { return known }
        let statement = try RawStatement(
            database,
            """
            SELECT latitude, longitude FROM item WHERE state = 0 AND record IN (
              SELECT seq FROM record WHERE filed = 1 AND author = ?1
              UNION ALL SELECT seq FROM record WHERE \(Schema.unfiled) AND author = ?1)
            """)
        try statement.bind(author, at: 1)
        var isInside = false
        try statement.forEach {
            isInside = ItemPlaces.contains(circle, $0.optionalInt(0), $0.optionalInt(1))
            return !isInside
        }
        writesInside[author] = isInside
        return isInside
    }
}
