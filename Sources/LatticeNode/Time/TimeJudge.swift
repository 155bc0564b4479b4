import LatticeCore

/// Whether the time is known well enough to let go of what is over by it: that cannot be undone.
struct TimeJudge {
    /// After the start, so that neighbours have told what their clocks say.
    static let settlingTime: Duration = .seconds(60)
    /// Neighbours that say it is earlier by more than this stop anything from expiring.
    static let earlierMargin: Duration = .seconds(3_600)
    static let neighbourTolerance: Duration = .seconds(600)

    let start: Instant
    var opinions = ClockOpinions()
    var leaps = LeapWatch()
    /// People were told that the machine's clock is wrong, and whose is used instead.
    var toldSource = WallClock.Source.machine
    /// A clock that leaps to and fro is told once in the time for which one leap counts.
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
