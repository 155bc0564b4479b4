import LatticeCore

/// Detects jumps of the machine's clock, and suspends irreversible actions for a while.
struct LeapWatch {
    /// Between two looks a second apart: more than any clock is slewed by, and less than the shortest error that a person
    /// would mind.
    static let leapMin: Duration = .seconds(600)
    /// Time for a person who sees the notice to correct the clock before anything expires.
    static let holdTime: Duration = .seconds(1_800)

    private struct Look {
        let machine: WallTime
        let at: Instant

        /// The clock's lead over the monotonic one, constant as long as it does not jump.
        var aheadMilliseconds: Int64 { machine.milliseconds - at.milliseconds }
    }

    private struct Hold {
        let until: Instant
        let aheadBefore: Int64
    }

    private var last: Look?
    private var hold: Hold?

    /// - Returns: how far the clock jumped since the last look; `nil` if it did not.
    mutating func look(_ machine: WallTime, at now: Instant) -> Duration? {
        let look = Look(machine: machine, at: now)
        defer { last = look }
        if let held = hold, held.until <= now { hold = nil }
        guard let last else { return nil }
        let leap = Duration.milliseconds(look.aheadMilliseconds - last.aheadMilliseconds)
        guard abs(leap) > Self.leapMin else { return nil }
        let before = hold?.aheadBefore ?? last.aheadMilliseconds
        let isBack = abs(Duration.milliseconds(look.aheadMilliseconds - before)) <= Self.leapMin
        hold = isBack ? nil : Hold(until: now.advanced(by: Self.holdTime), aheadBefore: before)
        return leap
    }

    func isHolding(at now: Instant) -> Bool {
        hold.map { now < $0.until } ?? false
    }
}

func abs(_ duration: Duration) -> Duration {
    duration < .zero ? .zero - duration : duration
}
