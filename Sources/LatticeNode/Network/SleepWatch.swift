import LatticeCore

/// Detects that the machine has slept: its links may be dead without any report from an interface.
struct SleepWatch {
    /// More than two clocks read in succession can differ, and less than a peer takes to declare a link dead.
    static let sleepMin: Duration = .seconds(2)

    private var lastSlept: Duration?

    /// - Parameters:
    ///   - now: from the clock that keeps running while the machine sleeps.
    ///   - awake: from the clock that stops then.
    /// - Returns: whether it has slept since the last look.
    mutating func look(now: Instant, awake: Instant) -> Bool {
        let slept = awake.duration(to: now)
        defer { lastSlept = slept }
        return lastSlept.map { slept - $0 >= Self.sleepMin } ?? false
    }
}
