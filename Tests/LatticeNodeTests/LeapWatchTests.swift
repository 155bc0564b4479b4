import LatticeCore
import Testing

@testable import LatticeNode

/// A clock that is looked at every second.
struct LeapWatchTests {
    private let day: Int64 = 86_400_000

    private func instant(_ seconds: Int64) -> Instant { Instant.zero.advanced(by: .seconds(seconds)) }

    private func wallTime(_ seconds: Int64, leapt milliseconds: Int64 = 0) -> WallTime {
        WallTime(milliseconds: 1_800_000_000_000 + seconds * 1_000 + milliseconds)
    }

    @Test func aClockThatRunsOnDoesNotLeap() {
        var watch = LeapWatch()
        for second in 0..<100 { #expect(watch.look(wallTime(Int64(second)), at: instant(Int64(second))) == nil) }
        // Nor after the machine slept for a day, when both clocks ran on.
        #expect(watch.look(wallTime(86_500), at: instant(86_500)) == nil)
        // Nor when it is set by ten minutes.
        #expect(watch.look(wallTime(86_501, leapt: 600_000), at: instant(86_501)) == nil)
        #expect(!watch.isHolding(at: instant(86_501)))
    }

    @Test(arguments: [3, -3, 365])
    func aLeapIsToldAndHoldsForHalfAnHour(days: Int64) {
        var watch = LeapWatch()
        #expect(watch.look(wallTime(0), at: instant(0)) == nil)
        #expect(watch.look(wallTime(1, leapt: days * day), at: instant(1)) == .milliseconds(days * day))
        #expect(watch.look(wallTime(2, leapt: days * day), at: instant(2)) == nil)
        #expect(watch.isHolding(at: instant(1 + 1_799)))
        #expect(!watch.isHolding(at: instant(1 + 1_800)))
    }

    @Test func aClockThatIsBackHoldsNothingAnyMore() {
        var watch = LeapWatch()
        _ = watch.look(wallTime(0), at: instant(0))
        _ = watch.look(wallTime(1, leapt: 3 * day), at: instant(1))
        // A second leap does not make the first one right.
        _ = watch.look(wallTime(2, leapt: 5 * day), at: instant(2))
        #expect(watch.isHolding(at: instant(2)))
        #expect(watch.look(wallTime(3, leapt: 60_000), at: instant(3)) == .milliseconds(60_000 - 5 * day))
        #expect(!watch.isHolding(at: instant(3)))
    }
}
