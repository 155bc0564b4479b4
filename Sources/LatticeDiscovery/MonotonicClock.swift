import Glibc
package import LatticeCore

/// The clock of this module's shell; code that decides gets the time by parameter.
package enum MonotonicClock {
    package static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// For `poll`: whole milliseconds until `deadline`, rounded up; −1 (for ever) without one.
    package static func milliseconds(until deadline: Instant?, from now: Instant) -> Int32 {
        guard let deadline else { return -1 }
        let nanoseconds = now.duration(to: deadline).nanoseconds
        return Int32(clamping: max(0, (nanoseconds + 999_999) / 1_000_000))
    }
}
