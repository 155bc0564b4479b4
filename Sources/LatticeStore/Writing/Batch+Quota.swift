import GRDB
import LatticeCore
import LatticeWire

/// Makes room: what nobody here wrote or follows goes first, the owner's own last, the oldest first.
///
/// What is unknown and what people did have shares of their own: floods of tombstones, unknown kinds or likes push out
/// one another before they push out what people wrote. A date in the future makes nothing younger than its arrival. What goes
/// leaves a floor, and nothing as old is taken again.
extension Batch {
    /// Rows found in one go, at most: whoever looks for strangers' oldest may have to pass over very many of others'.
    private static let portionMax = 2_048

    /// Of the quota, what unknown kinds and what waits may have, and what people did.
    private static func shares(of all: Int64) -> [(of: RecordRow.Class, bytes: Int64)] {
        [(.other, all / 16), (.done, all / 4)]
    }

    /// Everything is filed before.
    ///
    /// - Parameter authors: who may be over their quota.
    /// - Returns: the numbers of what went.
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
        // What nobody is shown any more gives way to what is.
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
            // Where nothing is left there is no room for anything said until now.
            if let end = swept.isExhausted ? Leaving(all: now) : swept.end {
                try state.floors.raise(classes, circle, to: end, in: database)
            }
        }
        return freed
    }

    /// What removing the oldest came to.
    private struct Sweep {
        var freed: Int64 = 0
        /// The last that went.
        var end: Leaving?
        /// There was not enough.
        var isExhausted = false
    }

    /// Removes the oldest until enough is free.
    ///
    /// - Parameter oldest: finds so many.
    private func sweep(_ excess: Int64, into evicted: inout Set<Int64>, oldest: (_ limit: Int) throws -> [Int64]) throws
        -> Sweep
    {
        var sweep = Sweep()
        while sweep.freed < excess {
            // No record counts for less than its overhead, so more are not needed.
            let wanted = (excess - sweep.freed) / RecordRow.overheadBytes + 1
            let portion = try oldest(Int(min(wanted, Int64(Self.portionMax))))
            if portion.isEmpty {
                sweep.isExhausted = true
                break
            }
            for seq in portion where sweep.freed < excess {
                // Read anew: one that went before may have changed it.
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

    /// Where much is free again, what was let go may come back. Half of a quota, so that it does not come and go.
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
