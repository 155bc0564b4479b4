import Glibc
import LatticeCore

/// Source of time: the only place that reads the machine's clocks.
enum Clocks {
    private static let start = sinceBoot

    /// Keeps running while the machine sleeps, so that a resumed peer notices immediately that its links are old.
    static var now: Instant {
        // Comes first, as the first call sets it: time never lies before zero.
        let start = start
        return Instant(nanoseconds: sinceBoot - start)
    }

    /// Nanoseconds as in `ContinuousClock`, without the divisions of `Duration`, which matter when asked for every frame.
    private static var sinceBoot: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The machine's date, right or wrong; `NodeClock` judges it.
    @Sendable static func machine() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
