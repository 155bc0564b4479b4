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
            var seqs: [Int64] = []
            for isPast in [false, true] where seqs.count < limit && (isPast || mark?.isPast != true) {
                let statement = try RawStatement(database, Self.query(isAttending: isAttending, isPast: isPast))
                let first = isPast ? TimeMark.last : TimeMark(date: WallTime(milliseconds: .min), seq: .min)
                let start = mark.flatMap { $0.isPast == isPast ? $0.start : nil } ?? first
                try statement.bind(number, at: 1)
                try statement.bind(start.date.milliseconds, at: 2)
                try statement.bind(start.seq, at: 3)
                try statement.bind(now.milliseconds, at: 4)
                try statement.bind(Int64(limit - seqs.count), at: 5)
                seqs += try statement.seqs()
            }
            var reader = try ItemReader(database, viewer: viewer)
            return try reader.items(seqs, now: now)
        }
    }

    /// The arguments are the person, the start and number after which it begins, the time, and a limit. All columns are in the
    /// indexes; sorting the events of one person takes little time.
    static func query(isAttending: Bool, isPast: Bool) -> String {
        let source =
            isAttending
            ? "reaction x CROSS JOIN item i ON i.id = x.target WHERE x.author = ?1 AND x.kind = 9 AND x.holds = 1"
            : "item i WHERE i.author = ?1"
        let order = isPast ? "DESC" : "ASC"
        return """
            SELECT i.record FROM \(source) AND i.kind = 8 AND i.state = 0
              AND (i.starts, i.record) \(isPast ? "<" : ">") (?2, ?3)
              AND coalesce(i.ends, i.starts + \(lengthAssumedMilliseconds)) \(isPast ? "<=" : ">") ?4 AND i.expires > ?4
            ORDER BY i.starts \(order), i.record \(order) LIMIT ?5
            """
    }
}
