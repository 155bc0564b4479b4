import LatticeCore

/// How much somebody may still ask of us: refilled steadily up to a burst (the generic cell rate algorithm, ITU-T I.371
/// annex A: one instant is its whole state).
struct TokenBucket: Hashable, Sendable {
    /// What a bucket allows; kept outside of it, since thousands of buckets share a few of these.
    struct Rate: Hashable, Sendable {
        /// Nanoseconds in which one token comes back.
        let interval: Int64
        /// Tokens there are at once.
        let burst: Int64

        /// - Parameter perSecond: 1–1,000,000 tokens.
        init(perSecond: Int64, burst: Int64) {
            precondition((1...1_000_000).contains(perSecond) && burst > 0, "a rate lets something through")
            interval = 1_000_000_000 / perSecond
            self.burst = burst
        }
    }

    /// When it would be full again.
    private var fullAt = Instant.zero

    /// - Parameter cost: tokens, at most the burst.
    /// - Returns: whether there were as many; none are taken otherwise.
    mutating func take(_ cost: Int64 = 1, of rate: Rate, at now: Instant) -> Bool {
        let start = max(fullAt.nanoseconds, now.nanoseconds)
        let end = start + cost * rate.interval
        guard end - now.nanoseconds <= rate.burst * rate.interval else { return false }
        fullAt = Instant(nanoseconds: end)
        return true
    }
}
