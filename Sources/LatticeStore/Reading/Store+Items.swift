import GRDB
package import LatticeCore
import LatticeWire

/// Items with their comments.
extension Store {
    /// - Returns: `nil` if it is not stored, is not a post, comment or event, or has expired.
    package func item(_ id: RecordID, at now: WallTime) async throws(StoreError) -> StoredItem? {
        let viewer = author
        return try await read { database in
            let statement = try RawStatement(database, "SELECT seq FROM record WHERE id = ?")
            try statement.bind(id.hash, at: 1)
            guard let seq = try statement.first({ $0.int(0) }) else { return nil }
            var reader = try ItemReader(database, viewer: viewer)
            return try reader.item(seq, now: now)
        }
    }

    /// Comments on a post or event, oldest first, including deleted ones; if there are more than `limit`, the newest.
    package func comments(of parent: RecordID, at now: WallTime, limit: Int) async throws(StoreError) -> [StoredItem] {
        let viewer = author
        return try await read { database in
            let statement = try RawStatement(
                database,
                """
                SELECT record FROM item WHERE parent = ?1 AND kind = 5 AND expires > ?2
                ORDER BY date DESC, record DESC LIMIT ?3
                """)
            try statement.bind(parent.hash, at: 1)
            try statement.bind(now.milliseconds, at: 2)
            try statement.bind(Int64(min(max(limit, 0), pageLimitMax)), at: 3)
            let seqs = try statement.seqs()
            var reader = try ItemReader(database, viewer: viewer)
            return try reader.items(seqs.reversed(), now: now)
        }
    }

    // MARK: Short ids

    /// Posts, comments and events whose id has this prefix, by id.
    ///
    /// - Returns: nothing if the prefix is not hexadecimal, empty, or longer than an id.
    package func items(withPrefix hex: String, limit: Int) async throws(StoreError) -> [RecordID] {
        guard let range = IDRange(prefix: hex) else { return [] }
        return try await read { database in
            let statement = try RawStatement(
                database,
                """
                SELECT id FROM record WHERE id BETWEEN ?1 AND ?2 AND seq IN (SELECT record FROM item)
                ORDER BY id LIMIT ?3
                """)
            try statement.bind(range.first, at: 1)
            try statement.bind(range.last, at: 2)
            try statement.bind(Int64(min(max(limit, 0), pageLimitMax)), at: 3)
            var ids: [RecordID] = []
            try statement.forEach { row in
                row.bytes32(0).map { ids.append(RecordID($0)) }
                return true
            }
            return ids
        }
    }

    /// The shortest prefix of at least six hexadecimal digits that is unique in this store, for each record: one digit more
    /// than it shares with its neighbours in the index.
    package func short(of ids: [RecordID]) async throws(StoreError) -> [String] {
        try snapshot { try $0.short(of: ids) }
    }
}

/// All ids and keys with a certain prefix of hexadecimal digits.
struct IDRange {
    /// Shorter prefixes are not shown: the next record would make them ambiguous.
    static let digitsMin = 6
    let first: Bytes32
    let last: Bytes32

    init?(prefix: some StringProtocol) {
        let digits = prefix.utf8.count
        guard (1...64).contains(digits),
            let first = Bytes32(hex: prefix + String(repeating: "0", count: 64 - digits)),
            let last = Bytes32(hex: prefix + String(repeating: "f", count: 64 - digits))
        else { return nil }
        self.first = first
        self.last = last
    }
}

extension RawStatement {
    /// Returns the first column of all rows, and resets the statement.
    func seqs() throws -> [Int64] {
        var seqs: [Int64] = []
        try forEach { row in
            seqs.append(row.int(0))
            return true
        }
        return seqs
    }
}
