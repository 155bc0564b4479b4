import LatticeCore

/// Measures the age of an author's presences by the author's own clock: the dates of two presences tell how long after
/// the first the second was made, whatever neighbours claim and however long one was held back.
///
/// Only for the first presence of an author do we depend on a neighbour's word.
struct AuthorsClock: Sendable {
    /// Two presences closer together than this tell nothing: an author whose clock was set back counts on from its last
    /// date.
    private static let stepMin: Int64 = 1_000
    /// Clocks drift apart by less than this.
    private static let driftPerMille: Int64 = 1

    private struct Reading: Sendable {
        /// The smallest difference so far between our clock at arrival and a presence's date, in milliseconds. What
        /// another presence exceeds it by is its time on the way.
        var leastAhead: Int64
        let created: WallTime
        let at: Int64
    }

    private var reading: Reading?

    /// - Parameter told: its age in milliseconds, as the neighbour says.
    /// - Returns: its age in milliseconds.
    mutating func age(of created: HybridTime, told: Int64, at now: Instant) -> Int64 {
        let now = now.nanoseconds / 1_000_000
        let ahead = now - created.wallTime.milliseconds
        guard let last = reading, created.wallTime.milliseconds - last.created.milliseconds >= Self.stepMin else {
            reading = Reading(leastAhead: ahead, created: created.wallTime, at: now)
            return told
        }
        let leastAhead = min(ahead, last.leastAhead + (now - last.at) * Self.driftPerMille / 1_000)
        reading = Reading(leastAhead: leastAhead, created: created.wallTime, at: now)
        return ahead - leastAhead
    }
}
