/// A moment on the monotonic clock of this process, for waits. It says nothing about the date.
package struct Instant: Hashable, Comparable, Sendable, InstantProtocol {
    /// Nanoseconds since an arbitrary start.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static let zero = Instant(nanoseconds: 0)

    /// Whole milliseconds.
    package var milliseconds: Int64 { nanoseconds / 1_000_000 }

    /// Like `advanced(by:)`, for hot paths, where the division inside a `Duration` matters.
    package func advanced(byNanoseconds nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: self.nanoseconds + nanoseconds)
    }

    package func advanced(by duration: Duration) -> Instant {
        Instant(nanoseconds: nanoseconds + duration.nanoseconds)
    }

    package func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds - nanoseconds)
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// Whole nanoseconds; saturates beyond ±292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carried ? (seconds < 0 ? .min : .max) : sum
    }

    /// With their fraction.
    package var milliseconds: Double {
        Double(nanoseconds) / 1_000_000
    }
}

/// A calendar date: milliseconds since 1970-01-01T00:00:00Z. Not for waits.
package struct WallTime: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: WallTime, right: WallTime) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
