/// How much somebody may still ask of us: refilled steadily up to a burst (the generic cell rate algorithm, ITU-T I.371
/// annex A: one instant is its whole state).
package struct TokenBucket: Hashable, Sendable {
    /// What a bucket allows; kept outside of it, since thousands of buckets share a few of these.
    package struct Rate: Hashable, Sendable {
        /// Nanoseconds in which one token comes back.
        package let interval: Int64
        /// Tokens there are at once.
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

        /// As quick, with half the burst.
        package var halved: Rate { Rate(interval: interval, burst: max(1, burst / 2)) }
    }

    /// When it would be full again.
    private var fullAt = Instant.zero

    package init() {}

    /// - Parameter cost: tokens, at most the burst.
    /// - Returns: whether there were as many; none are taken otherwise.
    package mutating func take(_ cost: Int64 = 1, of rate: Rate, at now: Instant) -> Bool {
        guard holds(cost, of: rate, at: now) else { return false }
        charge(cost, of: rate, at: now)
        return true
    }

    /// Whether there are as many tokens.
    package func holds(_ cost: Int64, of rate: Rate, at now: Instant) -> Bool {
        end(after: cost, of: rate, at: now) - now.nanoseconds <= rate.burst * rate.interval
    }

    /// How many tokens there are.
    package func left(of rate: Rate, at now: Instant) -> Int {
        Int(max(0, rate.burst - (max(fullAt.nanoseconds - now.nanoseconds, 0) + rate.interval - 1) / rate.interval))
    }

    /// How many tokens were taken and have not come back.
    package func taken(of rate: Rate, at now: Instant) -> Int {
        Int(rate.burst) - left(of: rate, at: now)
    }

    /// Takes tokens even if there are not as many: what is missing is owed. A negative cost gives tokens back.
    package mutating func charge(_ cost: Int64, of rate: Rate, at now: Instant) {
        fullAt = Instant(nanoseconds: end(after: cost, of: rate, at: now))
    }

    /// Whether it holds a whole burst, as one of which nothing was ever taken.
    package func isFull(at now: Instant) -> Bool {
        fullAt <= now
    }

    /// When there is a token again; `nil` if there is one.
    package func emptyUntil(of rate: Rate, at now: Instant) -> Instant? {
        let time = Instant(nanoseconds: fullAt.nanoseconds - (rate.burst - 1) * rate.interval)
        return time > now ? time : nil
    }

    /// When it would be full again after that.
    private func end(after cost: Int64, of rate: Rate, at now: Instant) -> Int64 {
        max(max(fullAt.nanoseconds, now.nanoseconds) + cost * rate.interval, 0)
    }
}
