import GRDB
package import LatticeCore
import LatticeWire

/// Posts, events and comments: by id, by place, by words.
package struct ItemFinder: Sendable {
    let access: PersonaAccess

    /// - Returns: `nil` if it is not stored, is not a post, comment or event, or has expired.
    package func item(_ id: RecordID, at now: WallTime) async throws(StoreError) -> StoredItem? {
        let viewer = access.author
        return try await access.read { database in
            let statement = try RawStatement(database, "SELECT seq FROM record WHERE id = ?")
            try statement.bind(id.hash, at: 1)
            guard let seq = try statement.first({ $0.int(0) }) else { return nil }
            var reader = try ItemReader(database, viewer: viewer)
            return try reader.item(seq, now: now)
        }
    }

    /// How an item came into this store; lists do not read it, which would cost them a page a row.
    package func carrier(of item: StoredItem) async throws(StoreError) -> RecordCarrier {
        try await access.read { database in
            let via = try database.one("SELECT via FROM record WHERE seq = ?", [.int(item.seq)]) { $0.int(0) }
            return via.map { RecordCarrier(rawValue: $0) ?? .other } ?? .mesh
        }
    }

    /// Comments on a post or event, oldest first, including deleted ones; if there are more than `limit`, the newest.
    package func comments(of parent: RecordID, at now: WallTime, limit: Int) async throws(StoreError) -> [StoredItem] {
        let viewer = access.author
        return try await access.read { database in
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

    /// Unexpired, not deleted posts or events around a place: nearest first to a tenth of a metre, then in order of arrival.
    /// Pages neither overlap nor leave anything out.
    package func near(_ search: NearSearch) async throws(StoreError) -> [Found] {
        try access.snapshot { try $0.near(search) }
    }

    /// Readable, unexpired, not deleted posts and events with all of the words. Pages neither overlap nor leave anything
    /// out.
    package func search(_ search: WordSearch) async throws(StoreError) -> [Found] {
        let viewer = access.author
        return try await access.read { database in
            guard search.limit > 0, let matches = try WordMatches(database, search.words) else { return [] }
            var scan = try WordScan(database, search, viewer: viewer)
            try scan.find(among: matches)
            var reader = try ItemReader(database, viewer: viewer)
            return try scan.best.elements.compactMap { rank in
                try reader.item(rank.seq, now: search.now).map { Found(item: $0, metres: rank.value) }
            }
        }
    }

    /// Which of these are stored posts, comments or events, erased or not, and the item that each comment is about.
    package func parents(of ids: [RecordID]) async throws(StoreError) -> [RecordID: RecordID?] {
        if ids.isEmpty { return [:] }
        return try await access.read { database in
            let statement = try RawStatement(
                database, "SELECT item.parent FROM record JOIN item ON item.record = record.seq WHERE record.id = ?1")
            var parents: [RecordID: RecordID?] = [:]
            for id in ids {
                try statement.bind(id.hash, at: 1)
                if let parent = try statement.first({ row in row.bytes32(0).map { RecordID($0) } }) {
                    parents[id] = .some(parent)
                }
            }
            return parents
        }
    }

    /// Posts, comments and events whose id has this prefix, by id.
    ///
    /// - Returns: nothing if the prefix is not hexadecimal, empty, or longer than an id.
    package func ids(withPrefix hex: String, limit: Int) async throws(StoreError) -> [RecordID] {
        guard let range = IDRange(prefix: hex) else { return [] }
        return try await access.read { database in
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
        try access.snapshot { try $0.short(of: ids) }
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
