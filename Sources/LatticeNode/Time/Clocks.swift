import Glibc
import LatticeCore

/// Where time comes in: the one place that reads the machine's clocks.
enum Clocks {
    private static let start = sinceBoot

    /// Runs on while the machine sleeps, so that a peer that was suspended notices at once that its links are old.
    static var now: Instant {
        // First, since the first call sets it: time begins at zero and not before.
        let start = start
        return Instant(nanoseconds: sinceBoot - start)
    }

    /// Nanoseconds, as `ContinuousClock` tells, without a `Duration`, whose divisions count where this is asked with every frame.
    private static var sinceBoot: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// What the machine takes the date to be, right or wrong; `NodeClock` judges it.
    @Sendable static func machine() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
