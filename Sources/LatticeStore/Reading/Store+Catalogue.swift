import GRDB
package import LatticeCore
package import LatticeWire

/// What two peers compare of a record.
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

/// Up to where a copy of the keys follows the file.
package struct CatalogueMark: Hashable, Sendable {
    /// Which file.
    let epoch: String
    /// The last record that came.
    package let seq: Int64
    /// The last that left.
    package let removal: Int64
}

/// What became of the keys since a mark: what left goes first, then what came is put in.
package struct CatalogueChanges: Sendable {
    /// Some of them may never have been in a copy: what comes and leaves between two marks.
    package let removed: [StoredKey]
    /// Of these, what left because its author was blocked: it is wanted again when that is over.
    package let returning: Set<RecordID>
    package let added: [StoredKey]
    package let mark: CatalogueMark
    /// There is more after `mark`.
    package let hasMore: Bool
    /// The file does not tell any more, or is another: all keys are to be loaded anew.
    package let isReset: Bool
}

extension Store {
    /// Keys handed over in one go.
    package static let keyPortion = 4_096
    /// Keys of one room that are told, 48 MB; a gigabyte of records holds three times as many lines at most.
    package static let roomKeysMax = 1_000_000

    /// Everything that is here and was not taken back, in the order of ids, as it is at one moment.
    ///
    /// - Parameter body: gets `keyPortion` of them at a time, on the store's thread.
    package func eachKey(_ body: @escaping @Sendable ([StoredKey]) -> Void) async throws(StoreError) -> CatalogueMark {
        try await read { database in
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

    /// What came and left since, whoever wrote it: what left first, and what came only once all that left is told.
    ///
    /// - Parameter limit: of what left and of what came, each.
    package func changes(after mark: CatalogueMark, limit: Int) async throws(StoreError) -> CatalogueChanges {
        precondition(limit > 0, "a portion of nothing never ends")
        return try await read { database in
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

    /// The keys of one room's lines, in the order of date and id; of more than `roomKeysMax` the newest lines'.
    ///
    /// - Parameter since: of what was made from then on.
    package func keys(ofRoom topic: [UInt8], since: HybridTime) async throws(StoreError) -> [StoredKey] {
        try await read { database in
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
    /// As it stands in the file: its top bit flipped, so that signed order is the order of dates.
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

    /// Of columns `created`, `id` and `kind`.
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
        epoch = try Settings.value(.epoch, in: database) ?? ""
        // Of all that ever came: what came last may have left.
        seq = try database.one(Self.lastNumber, []) { $0.int(0) } ?? 0
        removal = try database.one("SELECT max(number) FROM removal", []) { $0.int(0) } ?? 0
    }

    private static let lastNumber =
        "SELECT max(top, (SELECT coalesce(max(seq), 0) FROM record)) FROM ledger"

    /// Whether the file tells of all that happened between the two.
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
