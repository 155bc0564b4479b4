import LatticeCore

/// Whether the time is known well enough to remove expired records, which cannot be undone.
struct TimeJudge {
    /// Wait after the start, so that neighbours have sent their clocks.
    static let settlingTime: Duration = .seconds(60)
    /// If neighbours' clocks are earlier by more than this, nothing expires.
    static let earlierMargin: Duration = .seconds(3_600)
    static let neighbourTolerance: Duration = .seconds(600)

    let start: Instant
    var opinions = ClockOpinions()
    var leaps = LeapWatch()
    /// The clock in use according to the last notice.
    var toldSource = WallClock.Source.machine
    /// A clock that jumps back and forth is reported once in the hold time of one jump.
    var toldLeapAt: Instant?

    init(start: Instant) {
        self.start = start
    }

    func mayExpire(time: WallTime, source: WallClock.Source, at now: Instant) -> Bool {
        guard start.duration(to: now) >= Self.settlingTime, !leaps.isHolding(at: now) else { return false }
        let tolerance = Self.neighbourTolerance
        switch source {
        case .machine: break
        case .counted: return false
        case .lent:
            let isShared = opinions.agreeing(with: time, within: tolerance, at: now) >= ClockOpinions.agreeingMin
            guard isShared else { return false }
        }
        return !opinions.sayEarlier(than: time, by: Self.earlierMargin, tolerance: tolerance, at: now)
    }
}
