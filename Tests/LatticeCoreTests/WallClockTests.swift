import LatticeCore
import Testing

/// Machines without a battery, and those that know the time.
struct WallClockTests {
    private let peer = PeerID(.zero)
    private let start = Instant(nanoseconds: 5_000_000_000)
    private let epoch = WallTime(milliseconds: 12_000)
    private let today = WallTime(milliseconds: 1_800_000_000_000)

    private func later(_ seconds: Int64) -> Instant { start.advanced(by: .seconds(seconds)) }

    @Test func aClockThatMayBeRightIsBelieved() {
        var clock = WallClock(start: start)
        clock.wasLater(than: WallTime(milliseconds: today.milliseconds + 1))
        clock.borrow(WallTime(milliseconds: today.milliseconds * 2), of: peer, at: start)
        for time in [WallClock.earliest, today] {
            #expect(clock.time(machine: time, at: later(9)) == time)
            #expect(clock.source(machine: time) == .machine)
        }
    }

    @Test func timeGoesOnFromTheNewestDateThatIsKnown() {
        var clock = WallClock(start: start)
        #expect(clock.source(machine: epoch) == .counted)
        #expect(clock.time(machine: epoch, at: later(7)).milliseconds == WallClock.earliest.milliseconds + 7_000)
        clock.wasLater(than: today)
        clock.wasLater(than: epoch)
        #expect(clock.time(machine: epoch, at: later(7)).milliseconds == today.milliseconds + 7_000)
        let justBefore = WallTime(milliseconds: WallClock.earliest.milliseconds - 1)
        #expect(clock.source(machine: justBefore) == .counted)
    }

    @Test func aNeighboursTimeIsCountedOnUntilTheMachineKnowsItself() {
        var clock = WallClock(start: start)
        clock.borrow(today, of: peer, at: later(10))
        #expect(clock.source(machine: epoch) == .lent(peer))
        #expect(clock.time(machine: epoch, at: later(12)).milliseconds == today.milliseconds + 2_000)
        // A clock that is itself at 1970 is none.
        clock.borrow(epoch, of: PeerID(.zero), at: later(12))
        #expect(clock.time(machine: epoch, at: later(12)).milliseconds == today.milliseconds + 2_000)
        #expect(clock.time(machine: today, at: later(12)) == today)
    }
}
