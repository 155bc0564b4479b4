import LatticeCore

/// How old the presences of one author are, by the author's own clock: whatever neighbours say of a later presence, and however long
/// one was held back, its date tells how long after the earlier ones it was made.
///
/// What remains is a neighbour's word for the first presence of an author.
struct AuthorsClock: Sendable {
    /// Two presences whose dates are closer than this say nothing: an author whose clock went back counts on from its last date.
    private static let stepMin: Int64 = 1_000
    /// Clocks drift apart, and much less than this.
    private static let driftPerMille: Int64 = 1

    private struct Reading: Sendable {
        /// The least that our clock was ahead of a presence's date when it came, in milliseconds. How much more it is for another is
        /// how long that took to come.
        var leastAhead: Int64
        let created: WallTime
        let at: Int64
    }

    private var reading: Reading?

    /// - Parameter told: how old the neighbour says that it is, in milliseconds.
    /// - Returns: milliseconds.
    mutating func age(of created: HybridTime, told: Int64, at now: Instant) -> Int64 {
        let now = now.nanoseconds / 1_000_000
        let ahead = now - created.wall.milliseconds
        guard let last = reading, created.wall.milliseconds - last.created.milliseconds >= Self.stepMin else {
            reading = Reading(leastAhead: ahead, created: created.wall, at: now)
            return told
        }
        let leastAhead = min(ahead, last.leastAhead + (now - last.at) * Self.driftPerMille / 1_000)
        reading = Reading(leastAhead: leastAhead, created: created.wall, at: now)
        return ahead - leastAhead
    }
}
