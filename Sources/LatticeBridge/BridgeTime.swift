import Glibc
package import LatticeCore

/// The clocks of a bridge; tests have others.
package struct BridgeTime: Sendable {
    /// Monotonic, from an arbitrary start.
    package let now: @Sendable () -> Duration
    /// What records are dated by.
    package let wallTime: @Sendable () -> WallTime
    /// Returns early if the task is cancelled.
    package let sleep: @Sendable (Duration) async -> Void

    package init(
        now: @escaping @Sendable () -> Duration, wallTime: @escaping @Sendable () -> WallTime,
        sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        (self.now, self.wallTime, self.sleep) = (now, wallTime, sleep)
    }
}

extension BridgeTime {
    /// The machine's clocks.
    package static let system = {
        let start = ContinuousClock.now
        return BridgeTime(
            now: { start.duration(to: .now) },
            wallTime: {
                var time = timespec()
                clock_gettime(CLOCK_REALTIME, &time)
                return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
            },
            sleep: { duration in
                do {
                    try await Task.sleep(for: duration)
                } catch {
                    // The task was cancelled, which its caller sees.
                }
            })
    }()
}
