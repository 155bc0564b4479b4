import LatticeCore

/// Whose clock is right, and whether the time is known well enough to remove expired records, which cannot be undone.
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
    private var announcedSource = WallClock.Source.machine
    /// A clock that jumps back and forth is reported once in the hold time of one jump.
    private var reportedLeapAt: Instant?

    init(start: Instant) {
        self.start = start
    }

    /// A neighbour's clock arrived with its handshake.
    mutating func linked(
        _ peer: PeerID, clock: WallTime, _ wallClock: inout WallClock, machine: WallTime, at now: Instant
    ) -> [ClockNews] {
        opinions.linked(peer, clock: clock, at: now)
        let borrowed = borrowTime(&wallClock, machine: machine, at: now)
        let verdict = verdict(on: peer, ours: wallClock.time(machine: machine, at: now), at: now)
        return [borrowed, verdict].compactMap(\.self)
    }

    /// Called once a second.
    mutating func look(
        _ wallClock: inout WallClock, machine: WallTime, at now: Instant
    ) -> (hasLeapt: Bool, news: [ClockNews]) {
        let leap = leaps.look(machine, at: now)
        guard wallClock.source(machine: machine) == .machine else {
            return (leap != nil, borrowTime(&wallClock, machine: machine, at: now).map { [$0] } ?? [])
        }
        let wasWrong = announcedSource != .machine
        announcedSource = .machine
        if wasWrong { return (leap != nil, [.recovered]) }
        guard let leap else { return (false, []) }
        guard reportedLeapAt.map({ $0.duration(to: now) >= LeapWatch.holdTime }) ?? true else { return (true, []) }
        reportedLeapAt = now
        return (true, [.leapt(leap)])
    }

    /// A machine with a provably wrong clock uses its neighbours' time. At most two notices: that the clock is wrong, and whose
    /// is used instead.
    private mutating func borrowTime(
        _ wallClock: inout WallClock, machine: WallTime, at now: Instant
    ) -> ClockNews? {
        guard wallClock.source(machine: machine) != .machine else { return nil }
        if let (time, peer) = opinions.lender(at: now) { wallClock.borrow(time, of: peer, at: now) }
        let (source, used) = (wallClock.source(machine: machine), wallClock.time(machine: machine, at: now))
        switch (announcedSource, source) {
        case (.machine, .counted):
            announcedSource = source
            return .wrong(machine: machine, used: used, of: nil)
        case (.machine, .lent(let peer)), (.counted, .lent(let peer)):
            announcedSource = source
            return .wrong(machine: machine, used: used, of: peer)
        case (.machine, .machine), (.counted, .counted), (.counted, .machine), (.lent, _): return nil
        }
    }

    mutating func verdict(on peer: PeerID, ours: WallTime, at now: Instant) -> ClockNews? {
        switch opinions.verdict(on: peer, ours: ours, at: now) {
        case nil: nil
        case .ours(let error, let peers): .ours(error, peers: peers)
        case .theirs(let skew): .theirs(skew, peer)
        }
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
