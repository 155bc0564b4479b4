import GRDB
import LatticeCore
import LatticeWire

/// Evicts records to make space: strangers' first, the owner's last, and the oldest first within each circle.
///
/// Unknown kinds and reactions have shares of their own: floods of tombstones, unknown kinds or likes evict each other before
/// they evict what people wrote. A future date makes no record younger than its arrival. An eviction raises a floor, and
/// records below the floor are not accepted again.
struct Eviction {
    let batch: Batch
    let quota: StoreQuota
    private(set) var evicted = 0

    private var database: Database { batch.database }
    private var state: CommitState { batch.state }

    init(_ batch: Batch, quota: StoreQuota) {
        self.batch = batch
        self.quota = quota
    }

    /// Limit of rows in one query: finding strangers' oldest records may mean passing over very many of others'.
    private static let portionMax = 2_048

    /// The shares of the quota for unknown kinds and waiting changes, and for reactions.
    private static func shares(of all: Int64) -> [(of: RecordRow.Class, bytes: Int64)] {
        [(.other, all / 16), (.done, all / 4)]
    }

    /// Whether the quota, or that of one of these authors, is used up.
    func isDue(_ authors: [Int64]) throws -> Bool {
        if state.bytes > Int64(quota.bytes) { return true }
        return try authors.contains { try state.bytes(of: $0, in: database) > Int64(quota.authorBytes) }
    }

    /// Requires that everything is filed.
    ///
    /// - Parameter authors: authors who may be over their quota.
    mutating func run(_ authors: [Int64]) throws {
        for author in authors {
            let excess = try state.bytes(of: author, in: database) - Int64(quota.authorBytes)
            if excess > 0 { try evict(excess, by: author) }
        }
        let all = Int64(quota.bytes)
        let excess = state.bytes - all
        if excess > 0 { try evict(excess, over: all) }
        try StoredSettings.add(evicted, to: .evicted, in: database)
    }

    private mutating func evict(_ excess: Int64, by author: Int64) throws {
        let swept = try sweep(excess) { eviction, limit in try eviction.oldest(of: author, limit: limit) }
        if let end = swept.end { try state.floors.raise(author: author, to: end, in: database) }
    }

    private mutating func evict(_ excess: Int64, over all: Int64) throws {
        var excess = excess
        // Expired records, which are shown to nobody, go first.
        excess -= try sweep(excess) { eviction, limit in try eviction.overdue(limit: limit) }.freed
        if excess <= 0 { return }
        for share in Self.shares(of: all) {
            let over = min(excess, state.bytes(of: share.of) - share.bytes)
            excess -= try evict(over, of: [share.of])
        }
        _ = try evict(excess, of: RecordRow.Class.allCases)
    }

    private mutating func evict(_ excess: Int64, of classes: [RecordRow.Class]) throws -> Int64 {
        var freed: Int64 = 0
        for circle in AuthorCircle.allCases where freed < excess {
            let swept = try sweep(excess - freed) { eviction, limit in
                try eviction.oldest(of: classes, among: circle, limit: limit)
            }
            freed += swept.freed
            // If nothing is left, there is no space for any record up to now.
            if let end = swept.isExhausted ? Leaving(all: batch.now) : swept.end {
                try state.floors.raise(classes, circle, to: end, in: database)
            }
        }
        return freed
    }

    /// The result of removing the oldest records.
    private struct Sweep {
        var freed: Int64 = 0
        /// The last record removed.
        var end: Leaving?
        /// All records were removed, and that was not enough.
        var isExhausted = false
    }

    /// Removes the oldest records until enough is free.
    ///
    /// - Parameter oldest: finds that many records.
    private mutating func sweep(
        _ excess: Int64, oldest: (_ eviction: Eviction, _ limit: Int) throws -> [Int64]
    ) throws -> Sweep {
        var sweep = Sweep()
        while sweep.freed < excess {
            // Every record counts for at least its overhead, so no more are needed.
            let wanted = (excess - sweep.freed) / RecordRow.overheadBytes + 1
            let portion = try oldest(self, Int(min(wanted, Int64(Self.portionMax))))
            if portion.isEmpty {
                sweep.isExhausted = true
                break
            }
            for seq in portion where sweep.freed < excess {
                // Read again: an earlier removal may have changed it.
                guard let row = try batch.row(at: seq) else { continue }
                try batch.remove(row)
                evicted += 1
                sweep.freed += row.size
                sweep.end = Leaving(row)
            }
        }
        return sweep
    }

    /// When much is free again, evicted records may come back. The threshold is half a quota, to avoid oscillation.
    func lowerFloors() throws {
        guard !state.floors.isEmpty else { return }
        try state.floors.drop(after: batch.now, in: database)
        for author in state.floors.raisedAuthors
        where try state.bytes(of: author, in: database) < Int64(quota.authorBytes) / 2 {
            try state.floors.drop(author: author, in: database)
        }
        if state.bytes < Int64(quota.bytes) / 2 { return try state.floors.dropAll(in: database) }
        for share in Self.shares(of: Int64(quota.bytes)) where state.bytes(of: share.of) < share.bytes / 2 {
            try state.floors.lower(share.of, in: database)
        }
    }

    private func oldest(of classes: [RecordRow.Class], among circle: AuthorCircle, limit: Int) throws -> [Int64] {
        var found: [(place: Leaving, seq: Int64)] = []
        for recordClass in classes {
            found += try database.all(
                """
                SELECT date, created, id, seq FROM record
                WHERE filed = 1 AND class = ?2 AND date >= ?4 AND \(circle.condition)
                ORDER BY date, created, id LIMIT ?3
                """,
                [
                    .int(state.ownerNumber), .int(recordClass.rawValue), .int(Int64(limit)),
                    .int(state.floors.searched(recordClass, circle)),
                ]
            ) { (try Leaving($0, from: 0), $0.int(3)) }
        }
        found.sort { $0.place < $1.place }
        return found.prefix(limit).map(\.seq)
    }

    private func overdue(limit: Int) throws -> [Int64] {
        try database.all(
            "SELECT seq FROM record WHERE filed = 1 AND expires <= ? ORDER BY expires, seq LIMIT ?",
            [.int(batch.now), .int(Int64(limit))]
        ) { $0.int(0) }
    }

    private func oldest(of author: Int64, limit: Int) throws -> [Int64] {
        try database.all(
            "SELECT seq FROM record WHERE filed = 1 AND author = ? ORDER BY date, created, id LIMIT ?",
            [.int(author), .int(Int64(limit))]
        ) { $0.int(0) }
    }
}
