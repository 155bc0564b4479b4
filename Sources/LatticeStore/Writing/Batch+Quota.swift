import GRDB
import LatticeCore
import LatticeWire

/// Makes room: what nobody here wrote or follows goes first, the owner's own last, the oldest first.
///
/// What is unknown and what people did have shares of their own: floods of tombstones, unknown kinds or likes push out
/// one another before they push out what people wrote. A date in the future makes nothing younger than its arrival.
extension Batch {
    /// Rows found in one go, at most: whoever looks for strangers' oldest may have to pass over very many of others'.
    private static let portionMax = 2_048
    /// Of the quota, what is freed at a time, so that not every batch looks for the oldest again.
    private static let slack: Int64 = 1_024

    /// - Returns: the numbers of what went.
    func evict(over quota: StoreQuota) throws -> Set<Int64> {
        var evicted: Set<Int64> = []
        let authors = usage.changedAuthors
        try usage.write(to: database)
        for author in authors {
            let bytes = try database.one("SELECT bytes FROM usage_author WHERE author = ?", [.int(author)]) {
                $0.int(0)
            }
            let excess = (bytes ?? 0) - Int64(quota.authorBytes)
            if excess > 0 { try evict(excess, into: &evicted) { try self.oldest(of: author, limit: $0) } }
        }
        try usage.write(to: database)
        let all = Int64(quota.bytes)
        let excess = try used().values.reduce(0, +) - all
        if excess > 0 { try evict(excess + all / Self.slack, of: all, into: &evicted) }
        try Settings.add(evicted.count, to: .evicted, in: database)
        return evicted
    }

    private func evict(_ excess: Int64, of all: Int64, into evicted: inout Set<Int64>) throws {
        var excess = excess
        // What nobody is shown any more gives way to what is.
        excess -= try evict(excess, into: &evicted, oldest: overdue(limit:))
        if excess <= 0 { return }
        try usage.write(to: database)
        let used = try used()
        let shares: [(of: RecordRow.Class, bytes: Int64)] = [(.other, all / 16), (.done, all / 4)]
        for share in shares {
            let over = min(excess, (used[share.of] ?? 0) - share.bytes)
            excess -= try evict(over, of: [share.of], into: &evicted)
        }
        _ = try evict(excess, of: [.written, .done, .other], into: &evicted)
    }

    private func used() throws -> [RecordRow.Class: Int64] {
        let sums = try database.all("SELECT class, sum(bytes) FROM usage_kind GROUP BY class", []) {
            (RecordRow.Class(rawValue: $0.int(0)), $0.int(1))
        }
        var used: [RecordRow.Class: Int64] = [:]
        for (recordClass, bytes) in sums {
            if let recordClass { used[recordClass] = bytes }
        }
        return used
    }

    private func evict(_ excess: Int64, of classes: [RecordRow.Class], into evicted: inout Set<Int64>) throws -> Int64 {
        var freed: Int64 = 0
        for circle in Self.circles where freed < excess {
            freed += try evict(excess - freed, into: &evicted) {
                try self.oldest(of: classes, among: circle, limit: $0)
            }
        }
        return freed
    }

    /// - Parameter oldest: finds so many.
    /// - Returns: how many bytes were freed; less than `excess` if there is no more of it.
    @discardableResult
    private func evict(
        _ excess: Int64, into evicted: inout Set<Int64>, oldest: (_ limit: Int) throws -> [Int64]
    ) throws -> Int64 {
        var freed: Int64 = 0
        while freed < excess {
            // No record counts for less than its overhead, so more are not needed.
            let wanted = (excess - freed) / RecordRow.overheadBytes + 1
            let portion = try oldest(Int(min(wanted, Int64(Self.portionMax))))
            if portion.isEmpty { break }
            for seq in portion where freed < excess {
                // Read anew: one that went before may have changed it.
                guard let row = try row(at: seq) else { continue }
                try remove(row)
                evicted.insert(seq)
                freed += row.size
            }
        }
        return freed
    }

    // MARK: The oldest

    /// Whose records go: strangers' first, then of those whom the owner follows, then the owner's.
    private static let circles = [
        "author <> ?1 AND author NOT IN (\(followed))",
        "author <> ?1 AND author IN (\(followed))",
        "author = ?1",
    ]
    private static let followed = """
        SELECT peer.seq FROM reaction JOIN peer ON peer.key = reaction.target
        WHERE reaction.author = ?1 AND reaction.kind = 7 AND reaction.holds = 1
        """

    private func oldest(of classes: [RecordRow.Class], among circle: String, limit: Int) throws -> [Int64] {
        var found: [(seq: Int64, date: Int64)] = []
        for recordClass in classes {
            found += try database.all(
                "SELECT seq, date FROM record WHERE class = ?2 AND \(circle) ORDER BY date, seq LIMIT ?3",
                [.int(ownerNumber), .int(recordClass.rawValue), .int(Int64(limit))]
            ) { ($0.int(0), $0.int(1)) }
        }
        found.sort { ($0.date, $0.seq) < ($1.date, $1.seq) }
        return found.prefix(limit).map(\.seq)
    }

    private func overdue(limit: Int) throws -> [Int64] {
        try database.all(
            "SELECT seq FROM record WHERE expires <= ? ORDER BY expires, seq LIMIT ?",
            [.int(now), .int(Int64(limit))]
        ) { $0.int(0) }
    }

    private func oldest(of author: Int64, limit: Int) throws -> [Int64] {
        try database.all(
            "SELECT seq FROM record WHERE author = ? ORDER BY date, seq LIMIT ?",
            [.int(author), .int(Int64(limit))]
        ) { $0.int(0) }
    }
}
