/// A rate limit: tokens come back steadily, up to a burst (the generic cell rate algorithm, ITU-T I.371 annex A: one
/// instant is its whole state).
package struct TokenBucket: Hashable, Sendable {
    /// The limit of a bucket; separate from it, because thousands of buckets share a few of these.
    package struct Rate: Hashable, Sendable {
        /// Nanoseconds until one token comes back.
        package let interval: Int64
        package let burst: Int64

        /// - Parameter perSecond: 1–1,000,000 tokens.
        package init(perSecond: Int64, burst: Int64) {
            precondition((1...1_000_000).contains(perSecond) && burst > 0, "a rate lets something through")
            self.init(interval: 1_000_000_000 / perSecond, burst: burst)
        }

        private init(interval: Int64, burst: Int64) {
            self.interval = interval
            self.burst = burst
        }

        package var halved: Rate { Rate(interval: interval, burst: max(1, burst / 2)) }
    }

    private var fullAt = Instant.zero

    package init() {}

    /// - Parameter cost: tokens, at most the burst.
    /// - Returns: whether there were enough; otherwise none are taken.
    package mutating func take(_ cost: Int64 = 1, of rate: Rate, at now: Instant) -> Bool {
        guard holds(cost, of: rate, at: now) else { return false }
        charge(cost, of: rate, at: now)
        return true
    }

    package func holds(_ cost: Int64, of rate: Rate, at now: Instant) -> Bool {
        end(after: cost, of: rate, at: now) - now.nanoseconds <= rate.burst * rate.interval
    }

    package func left(of rate: Rate, at now: Instant) -> Int {
        Int(max(0, rate.burst - (max(fullAt.nanoseconds - now.nanoseconds, 0) + rate.interval - 1) / rate.interval))
    }

    /// Tokens taken that have not come back.
    package func taken(of rate: Rate, at now: Instant) -> Int {
        Int(rate.burst) - left(of: rate, at: now)
    }

    /// Takes tokens even if there are not enough; the rest is owed. A negative cost gives tokens back.
    package mutating func charge(_ cost: Int64, of rate: Rate, at now: Instant) {
        fullAt = Instant(nanoseconds: end(after: cost, of: rate, at: now))
    }

    /// Whether it holds a whole burst.
    package func isFull(at now: Instant) -> Bool {
        fullAt <= now
    }

    /// When the next token comes; `nil` if there is one.
    package func emptyUntil(of rate: Rate, at now: Instant) -> Instant? {
        let time = Instant(nanoseconds: fullAt.nanoseconds - (rate.burst - 1) * rate.interval)
        return time > now ? time : nil
    }

    /// When it would be full after that charge.
    private func end(after cost: Int64, of rate: Rate, at now: Instant) -> Int64 {
        max(max(fullAt.nanoseconds, now.nanoseconds) + cost * rate.interval, 0)
    }
}
