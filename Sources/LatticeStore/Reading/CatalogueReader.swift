import GRDB
package import LatticeCore
package import LatticeWire

package struct StoredKey: Hashable, Sendable {
    package let created: HybridTime
    package let id: RecordID
    package let group: SyncScope.Group

    package init(created: HybridTime, id: RecordID, group: SyncScope.Group) {
        self.created = created
        self.id = id
        self.group = group
    }
}

/// The state of the file that a copy of the keys has reached.
package struct CatalogueMark: Hashable, Sendable {
    /// Identifies the file.
    let epoch: String
    /// The number of the last record added.
    package let seq: Int64
    /// The number of the last removal.
    package let removal: Int64
}

/// Changes of the keys since a mark: apply `removed` before `added`.
package struct CatalogueChanges: Sendable {
    /// A copy may never have had some of them: records that came and went between two marks.
    package let removed: [StoredKey]
    /// Those of `removed` whose author was blocked: they are fetched again after unblocking.
    package let returning: Set<RecordID>
    package let added: [StoredKey]
    package let mark: CatalogueMark
    /// There are more changes after `mark`.
    package let hasMore: Bool
    /// The file no longer has the changes, or is a different one: load all keys again.
    package let isReset: Bool
}

/// The records that are stored, by id, number and key.
package struct CatalogueReader: Sendable {
    let access: PersonaAccess

    /// Keys in one call of `body`.
    package static let keyPortion = 4_096
    /// Limit of keys for one room, 48 MB; a gigabyte of records has at most three times as many lines.
    package static let roomKeysMax = 1_000_000

    /// - Returns: the ids that are stored, including erased records.
    package func known(_ ids: [RecordID]) async throws(StoreError) -> Set<RecordID> {
        try await access.read { database in
            Set(
                try ids.filter { id in
                    try database.one("SELECT 1 FROM record WHERE id = ?", [.key(id.hash)]) { _ in true } ?? false
                })
        }
    }

    /// Those of `ids` that are stored and not expired, with seconds since first seen. Those that expire first come first.
    package func served(_ ids: [RecordID], at wallTime: WallTime) async throws(StoreError)
        -> [(record: SignedRecord, ageSeconds: UInt32)]
    {
        let now = wallTime.milliseconds
        let found = try await access.read { database in
            try ids.compactMap { id in
                try database.one(
                    "SELECT expires, seen, bytes FROM record WHERE id = ? AND erased = 0 AND expires > ?",
                    [.key(id.hash), .int(now)]
                ) { row in
                    (
                        expires: row.int(0), id: id, record: try Batch.signed(row.bytes(2)),
                        ageSeconds: UInt32(clamping: (now - row.int(1)) / 1_000)
                    )
                }
            }
        }
        return found.sorted { ($0.expires, $0.id) < ($1.expires, $1.id) }.map { ($0.record, $0.ageSeconds) }
    }

    // MARK: Keys

    /// All keys of records that are here and not erased, in order of ids, from one snapshot.
    ///
    /// - Parameter body: gets `keyPortion` of them at a time, on the store's thread.
    package func eachKey(_ body: @escaping @Sendable ([StoredKey]) -> Void) async throws(StoreError) -> CatalogueMark {
        try await access.read { database in
            var keys: [StoredKey] = []
            keys.reserveCapacity(Self.keyPortion)
            let rows = try RawStatement(
                database,
                """
                SELECT created, id, kind FROM record INDEXED BY record_id WHERE erased = 0
                """)
            try rows.forEach { row in
                if let key = StoredKey(row, from: 0) { keys.append(key) }
                if keys.count == Self.keyPortion {
                    body(keys)
                    keys.removeAll(keepingCapacity: true)
                }
                return true
            }
            if !keys.isEmpty { body(keys) }
            return try CatalogueMark(database)
        }
    }

    /// Additions and removals since a mark, by any process: removals first, and additions only once all removals are reported.
    ///
    /// - Parameter limit: for removals and for additions, each.
    package func changes(after mark: CatalogueMark, limit: Int) async throws(StoreError) -> CatalogueChanges {
        precondition(limit > 0, "a portion of nothing never ends")
        return try await access.read { database in
            let current = try CatalogueMark(database)
            guard try mark.isFollowed(in: database, to: current) else {
                return CatalogueChanges(
                    removed: [], returning: [], added: [], mark: current, hasMore: false, isReset: true)
            }
            let removed = try mark.removed(limit, in: database)
            let returning = Set(removed.filter(\.mayReturn).map(\.key.id))
            if removed.count == limit, let last = removed.last, last.number < current.removal {
                let mark = CatalogueMark(epoch: mark.epoch, seq: mark.seq, removal: last.number)
                return CatalogueChanges(
                    removed: removed.map(\.key), returning: returning, added: [], mark: mark, hasMore: true,
                    isReset: false)
            }
            let added = try mark.added(limit, in: database)
            let isAll = added.count < limit
            let next = CatalogueMark(
                epoch: mark.epoch, seq: isAll ? current.seq : added.last?.number ?? current.seq,
                removal: current.removal)
            return CatalogueChanges(
                removed: removed.map(\.key), returning: returning, added: added.map(\.key), mark: next,
                hasMore: next.seq < current.seq, isReset: false)
        }
    }

    /// Keys of one room's lines in the order of date and id; if there are more than `roomKeysMax`, those of the newest lines.
    ///
    /// - Parameter since: excludes earlier lines.
    package func keys(ofRoom topic: [UInt8], since: HybridTime) async throws(StoreError) -> [StoredKey] {
        try await access.read { database in
            let keys = try database.all(
                """
                SELECT created, id, 1 FROM record INDEXED BY record_history
                WHERE topic = ? AND created >= ? AND kind = 1 AND erased = 0 ORDER BY turn DESC LIMIT ?
                """,
                [.bytes(topic), .int(since.column), .int(Int64(Self.roomKeysMax))]
            ) { StoredKey($0, from: 0) }
            return keys.compactMap { $0 }.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
        }
    }
}

extension HybridTime {
    /// As stored in the file: the top bit is flipped, so that signed order is the order of dates.
    var column: Int64 { Int64(bitPattern: rawValue ^ 1 << 63) }

    init(column: Int64) {
        self.init(rawValue: UInt64(bitPattern: column) ^ 1 << 63)
    }
}

extension StoredKey {
    init?(_ row: RecordRow) {
        guard let group = SyncScope.Group(of: row.kind) else { return nil }
        self.init(created: HybridTime(column: row.created), id: row.id, group: group)
    }

    /// Reads the columns `created`, `id` and `kind`.
    fileprivate init?(_ row: borrowing RawStatement, from column: Int32) {
        let kind = RecordKind(rawValue: UInt64(bitPattern: row.int(column + 2)))
        guard let hash = row.bytes32(column + 1), let group = SyncScope.Group(of: kind) else { return nil }
        self.init(created: HybridTime(column: row.int(column)), id: RecordID(hash), group: group)
    }
}

extension CatalogueMark {
    fileprivate typealias Numbered = (number: Int64, key: StoredKey)
    typealias Removed = (number: Int64, key: StoredKey, mayReturn: Bool)

    init(_ database: Database) throws {
        epoch = try StoredSettings.value(.epoch, in: database) ?? ""
        // Counts removed records too: the last one may be gone.
        seq = try database.one(Self.lastNumber, []) { $0.int(0) } ?? 0
        removal = try database.one("SELECT max(number) FROM removal", []) { $0.int(0) } ?? 0
    }

    private static let lastNumber =
        "SELECT max(top, (SELECT coalesce(max(seq), 0) FROM record)) FROM ledger"

    /// Whether the file still has all changes between the two.
    fileprivate func isFollowed(in database: Database, to current: CatalogueMark) throws -> Bool {
        guard epoch == current.epoch, seq <= current.seq, removal <= current.removal else { return false }
        let first = try database.one("SELECT min(number) FROM removal", []) { $0.int(0) } ?? 0
        return removal == current.removal || first <= removal + 1
    }

    func removed(_ limit: Int, in database: Database) throws -> [Removed] {
        try database.all(
            "SELECT number, created, id, kind, may_return FROM removal WHERE number > ? ORDER BY number LIMIT ?",
            [.int(removal), .int(Int64(limit))]
        ) { row in StoredKey(row, from: 1).map { (row.int(0), $0, row.int(4) == 1) } }.compactMap { $0 }
    }

    fileprivate func added(_ limit: Int, in database: Database) throws -> [Numbered] {
        try database.all(
            "SELECT seq, created, id, kind FROM record WHERE seq > ? AND erased = 0 ORDER BY seq LIMIT ?",
            [.int(seq), .int(Int64(limit))]
        ) { row in StoredKey(row, from: 1).map { (row.int(0), $0) } }.compactMap { $0 }
    }
}
