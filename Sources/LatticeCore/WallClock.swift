/// The time by the machine's clock unless that is provably wrong: a machine without a battery starts in 1970.
///
/// It reads no clock; callers pass what the machine's clocks say.
package struct WallClock: Sendable {
    package enum Source: Hashable, Sendable {
        case machine
        /// Counted from the newest known date: certainly late, but in the right order.
        case counted
        /// From another peer, and counted on.
        case lent(PeerID)
    }

    /// 2026-11-01T00:00:00Z, before this version existed: a correct clock never shows an earlier date.
    package static let earliest = WallTime(milliseconds: 1_793_491_200_000)

    private let start: Instant
    private var floor = earliest
    private var loan: Loan?

    /// Another peer's time as its lead over the monotonic clock here.
    private struct Loan {
        let from: PeerID
        let aheadMilliseconds: Int64
    }

    package init(start: Instant) {
        self.start = start
    }

    /// - Parameter date: the newest date that this person gave to anything; used while the machine's clock is wrong.
    package mutating func wasLater(than date: WallTime) {
        floor = max(floor, date)
    }

    /// Uses another peer's time while the machine's clock is wrong.
    package mutating func borrow(_ time: WallTime, of peer: PeerID, at now: Instant) {
        guard time >= Self.earliest else { return }
        loan = Loan(from: peer, aheadMilliseconds: time.milliseconds - now.milliseconds)
    }

    /// - Parameters:
    ///   - machine: the machine's clock.
    ///   - now: the monotonic clock at the same time.
    package func time(machine: WallTime, at now: Instant) -> WallTime {
        switch source(machine: machine) {
        case .machine: return machine
        case .counted: return WallTime(milliseconds: floor.milliseconds + now.milliseconds - start.milliseconds)
        case .lent: return WallTime(milliseconds: (loan?.aheadMilliseconds ?? 0) + now.milliseconds)
        }
    }

    package func source(machine: WallTime) -> Source {
        if machine >= Self.earliest { return .machine }
        return loan.map { .lent($0.from) } ?? .counted
    }
}
