import LatticeCore

/// Tasks that wait until our lines are confirmed, or for a limited time.
struct FlushWaiters {
    private struct Waiter {
        let continuation: CheckedContinuation<Void, Never>
        let until: Instant
        /// Whether it stops waiting once all our lines are confirmed.
        let endsWhenFlushed: Bool
        let givenUp: GivenUp
    }

    private var waiters: [Waiter] = []

    var isEmpty: Bool { waiters.isEmpty }

    /// The earliest time at which a wait expires.
    var deadline: Instant? { waiters.lazy.map(\.until).min() }

    mutating func add(
        _ continuation: CheckedContinuation<Void, Never>, until time: Instant, endsWhenFlushed: Bool, _ givenUp: GivenUp
    ) {
        waiters.append(
            Waiter(continuation: continuation, until: time, endsWhenFlushed: endsWhenFlushed, givenUp: givenUp))
    }

    mutating func release(at now: Instant, isFlushed: Bool) {
        waiters.removeAll { waiter in
            guard (isFlushed && waiter.endsWhenFlushed) || waiter.until <= now || waiter.givenUp.isSet else {
                return false
            }
            waiter.continuation.resume()
            return true
        }
    }

    mutating func releaseAll() {
        for waiter in waiters { waiter.continuation.resume() }
        waiters = []
    }
}
