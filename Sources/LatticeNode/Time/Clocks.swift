import Glibc
import LatticeCore

/// Where time comes in: the one place that reads the machine's clocks.
enum Clocks {
    private static let start = ContinuousClock.now

    /// Runs on while the machine sleeps, so that a peer that was suspended notices at once that its links are old.
    static var now: Instant {
        Instant(nanoseconds: start.duration(to: .now).nanoseconds)
    }

    /// What the machine takes the date to be, right or wrong; `NodeClock` judges it.
    @Sendable static func machine() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
