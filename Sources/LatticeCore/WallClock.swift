/// What time it is, by the machine's clock unless that is provably wrong: a machine without a battery says 1970 when it starts.
///
/// It reads no clock itself: what the machine's clocks say is handed in.
package struct WallClock: Sendable {
    /// Whose time it is.
    package enum Source: Hashable, Sendable {
        case machine
        /// Counted on from the newest date that is known: surely behind, and in the right order.
        case counted
        /// Somebody else's, counted on.
        case lent(PeerID)
    }

    /// 2026-11-01T00:00:00Z, when this version was not there yet: no clock that is right says less.
    package static let earliest = WallTime(milliseconds: 1_793_491_200_000)

    private let start: Instant
    private var floor = earliest
    private var loan: Loan?

    /// Another's time as what it is ahead of the monotonic clock here.
    private struct Loan {
        let from: PeerID
        let aheadMilliseconds: Int64
    }

    package init(start: Instant) {
        self.start = start
    }

    /// - Parameter date: the newest one that this person ever gave to anything; it counts while the machine's clock does not.
    package mutating func wasLater(than date: WallTime) {
        floor = max(floor, date)
    }

    /// Takes over somebody's time, for as long as the machine's own is wrong.
    package mutating func borrow(_ time: WallTime, of peer: PeerID, at now: Instant) {
        guard time >= Self.earliest else { return }
        loan = Loan(from: peer, aheadMilliseconds: time.milliseconds - now.milliseconds)
    }

    /// - Parameters:
    ///   - machine: what the machine's clock says.
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
