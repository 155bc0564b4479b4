import GRDB
package import LatticeCore
import LatticeWire

/// Events by their start: those that are not over, the next one first, and then those that are, the newest first.
package struct EventReader: Sendable {
    /// An event without an end counts as over this long after its start.
    static let lengthAssumedMilliseconds: Int64 = 3 * 3_600_000

    /// Where a page ends.
    package struct Mark: Hashable, Sendable {
        package let isPast: Bool
        /// The start, and the number.
        package let start: TimeMark

        package init(isPast: Bool, start: TimeMark) {
            (self.isPast, self.start) = (isPast, start)
        }
    }

    let access: PersonaAccess

    /// Events that somebody announced, or goes to. One that ends between two pages may be on both.
    package func events(
        of person: PeerID, isAttending: Bool, at now: WallTime, limit: Int, after mark: Mark? = nil
    ) async throws(StoreError) -> [StoredItem] {
        let viewer = access.author
        let limit = min(max(limit, 0), pageLimitMax)
        return try await access.read { database in
            guard let number = try database.seq(of: person) else { return [] }
            let seqs =
                isAttending
                ? try Self.attended(by: number, at: now, limit: limit, after: mark, in: database)
                : try Self.announced(by: number, at: now, limit: limit, after: mark, in: database)
            var reader = try ItemReader(database, viewer: viewer)
            return try reader.items(seqs, now: now)
        }
    }

    private static func announced(
        by person: Int64, at now: WallTime, limit: Int, after mark: Mark?, in database: Database
    ) throws -> [Int64] {
        var seqs: [Int64] = []
        for isPast in [false, true] where seqs.count < limit && (isPast || mark?.isPast != true) {
            let statement = try RawStatement(database, announcedQuery(isPast: isPast))
            let first = isPast ? TimeMark.last : TimeMark(date: WallTime(milliseconds: .min), seq: .min)
            let start = mark.flatMap { $0.isPast == isPast ? $0.start : nil } ?? first
            try statement.bind(person, at: 1)
            try statement.bind(start.date.milliseconds, at: 2)
            try statement.bind(start.seq, at: 3)
            try statement.bind(now.milliseconds, at: 4)
            try statement.bind(Int64(limit - seqs.count), at: 5)
            seqs += try statement.seqs()
        }
        return seqs
    }

    private static func attended(
        by person: Int64, at now: WallTime, limit: Int, after mark: Mark?, in database: Database
    ) throws -> [Int64] {
        let statement = try RawStatement(database, attendedQuery)
        // Nothing comes before this mark.
        let start = mark ?? Mark(isPast: false, start: TimeMark(date: WallTime(milliseconds: .min), seq: .min))
        let sign: Int64 = start.isPast ? -1 : 1
        try statement.bind(person, at: 1)
        try statement.bind(start.isPast ? 1 : 0, at: 2)
        try statement.bind(start.start.date.milliseconds.multipliedReportingOverflow(by: sign).partialValue, at: 3)
        try statement.bind(start.start.seq.multipliedReportingOverflow(by: sign).partialValue, at: 4)
        try statement.bind(now.milliseconds, at: 5)
        try statement.bind(Int64(limit), at: 6)
        return try statement.seqs()
    }

    /// The arguments are the person, the start and number after which it begins, the time, and a limit. All columns are in the
    /// index, which has the order of the list.
    static func announcedQuery(isPast: Bool) -> String {
        let order = isPast ? "DESC" : "ASC"
        return """
            SELECT i.record FROM item i WHERE i.author = ?1 AND i.kind = 8 AND i.state = 0
              AND (i.starts, i.record) \(isPast ? "<" : ">") (?2, ?3)
              AND \(ending) \(isPast ? "<=" : ">") ?4 AND i.expires > ?4
            ORDER BY i.starts \(order), i.record \(order) LIMIT ?5
            """
    }

    /// The arguments are the person, where it begins, as (is past, start, number) with start and number negative for what is past, the
    /// time, and a limit. Each event has to be looked up, so one query reads what comes and what is past, and sorts both.
    static let attendedQuery = """
        SELECT record FROM (
          SELECT i.record AS record, \(ending) <= ?5 AS past,
            iif(\(ending) <= ?5, -i.starts, i.starts) AS start, iif(\(ending) <= ?5, -i.record, i.record) AS number
          FROM reaction x CROSS JOIN item i ON i.id = x.target
          WHERE x.author = ?1 AND x.kind = 9 AND x.holds = 1 AND i.kind = 8 AND i.state = 0 AND i.expires > ?5)
        WHERE (past, start, number) > (?2, ?3, ?4) ORDER BY past, start, number LIMIT ?6
        """

    private static let ending = "coalesce(i.ends, i.starts + \(lengthAssumedMilliseconds))"
}
