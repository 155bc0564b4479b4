import LatticeCore

/// Notices that the machine has slept: its links may be dead, and no interface need have told.
struct SleepWatch {
    /// More than two clocks that are read one after the other can differ, and less than anybody else takes a link for dead by.
    static let sleepMin: Duration = .seconds(2)

    private var lastSlept: Duration?

    /// - Parameters:
    ///   - now: by the clock that runs on while the machine sleeps.
    ///   - awake: by the one that stands still then.
    /// - Returns: whether it has slept since the last look.
    mutating func look(now: Instant, awake: Instant) -> Bool {
        let slept = awake.duration(to: now)
        defer { lastSlept = slept }
        return lastSlept.map { slept - $0 >= Self.sleepMin } ?? false
    }
}
