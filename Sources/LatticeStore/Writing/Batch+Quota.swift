import GRDB
import LatticeCore
import LatticeWire

/// Evicts records to make space: strangers' first, the owner's last, and the oldest first within each circle.
///
/// Unknown kinds and reactions have shares of their own: floods of tombstones, unknown kinds or likes evict each other before
/// they evict what people wrote. A future date makes no record younger than its arrival. An eviction raises a floor, and
/// records below the floor are not accepted again.
extension Batch {
    /// Limit of rows in one query: finding strangers' oldest records may mean passing over very many of others'.
    private static let portionMax = 2_048

    /// The shares of the quota for unknown kinds and waiting changes, and for reactions.
    private static func shares(of all: Int64) -> [(of: RecordRow.Class, bytes: Int64)] {
        [(.other, all / 16), (.done, all / 4)]
    }

    /// Requires that everything is filed.
    ///
    /// - Parameter authors: authors who may be over their quota.
    /// - Returns: the numbers of the evicted records.
    func evict(over quota: StoreQuota, by authors: [Int64]) throws -> Set<Int64> {
        var evicted: Set<Int64> = []
        for author in authors {
            let excess = try state.bytes(of: author, in: database) - Int64(quota.authorBytes)
            if excess > 0 { try evict(excess, by: author, into: &evicted) }
        }
        let all = Int64(quota.bytes)
        let excess = state.bytes - all
        if excess > 0 { try evict(excess, over: all, into: &evicted) }
        try Settings.add(evicted.count, to: .evicted, in: database)
        return evicted
    }

    private func evict(_ excess: Int64, by author: Int64, into evicted: inout Set<Int64>) throws {
        let swept = try sweep(excess, into: &evicted) { try self.oldest(of: author, limit: $0) }
        if let end = swept.end { try state.floors.raise(author: author, to: end, in: database) }
    }

    private func evict(_ excess: Int64, over all: Int64, into evicted: inout Set<Int64>) throws {
        var excess = excess
        // Expired records, which are shown to nobody, go first.
        excess -= try sweep(excess, into: &evicted, oldest: overdue(limit:)).freed
        if excess <= 0 { return }
        for share in Self.shares(of: all) {
            let over = min(excess, state.bytes(of: share.of) - share.bytes)
            excess -= try evict(over, of: [share.of], into: &evicted)
        }
        _ = try evict(excess, of: RecordRow.Class.allCases, into: &evicted)
    }

    private func evict(_ excess: Int64, of classes: [RecordRow.Class], into evicted: inout Set<Int64>) throws -> Int64 {
        var freed: Int64 = 0
        for circle in AuthorCircle.allCases where freed < excess {
            let swept = try sweep(excess - freed, into: &evicted) {
                try self.oldest(of: classes, among: circle, limit: $0)
            }
            freed += swept.freed
            // If nothing is left, there is no space for any record up to now.
            if let end = swept.isExhausted ? Leaving(all: now) : swept.end {
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
    private func sweep(_ excess: Int64, into evicted: inout Set<Int64>, oldest: (_ limit: Int) throws -> [Int64]) throws
        -> Sweep
    {
        var sweep = Sweep()
        while sweep.freed < excess {
            // Every record counts for at least its overhead, so no more are needed.
            let wanted = (excess - sweep.freed) / RecordRow.overheadBytes + 1
            let portion = try oldest(Int(min(wanted, Int64(Self.portionMax))))
            if portion.isEmpty {
                sweep.isExhausted = true
                break
            }
            for seq in portion where sweep.freed < excess {
                // Read again: an earlier removal may have changed it.
                guard let row = try row(at: seq) else { continue }
                try remove(row)
                evicted.insert(seq)
                sweep.freed += row.size
                sweep.end = Leaving(row)
            }
        }
        return sweep
    }

    // MARK: Floors

    /// When much is free again, evicted records may come back. The threshold is half a quota, to avoid oscillation.
    func lowerFloors(_ quota: StoreQuota) throws {
        guard !state.floors.isEmpty else { return }
        try state.floors.drop(after: now, in: database)
        for author in state.floors.raisedAuthors
        where try state.bytes(of: author, in: database) < Int64(quota.authorBytes) / 2 {
            try state.floors.drop(author: author, in: database)
        }
        if state.bytes < Int64(quota.bytes) / 2 { return try state.floors.dropAll(in: database) }
        for share in Self.shares(of: Int64(quota.bytes)) where state.bytes(of: share.of) < share.bytes / 2 {
            try state.floors.lower(share.of, in: database)
        }
    }

    // MARK: The oldest

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
                    .int(ownerNumber), .int(recordClass.rawValue), .int(Int64(limit)),
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
            [.int(now), .int(Int64(limit))]
        ) { $0.int(0) }
    }

    private func oldest(of author: Int64, limit: Int) throws -> [Int64] {
        try database.all(
            "SELECT seq FROM record WHERE filed = 1 AND author = ? ORDER BY date, created, id LIMIT ?",
            [.int(author), .int(Int64(limit))]
        ) { $0.int(0) }
    }
}
