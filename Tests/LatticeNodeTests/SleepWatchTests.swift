import LatticeCore
import Testing

@testable import LatticeNode

/// Two clocks, of which one stands still while the machine sleeps; looked at every second.
struct SleepWatchTests {
    private func instant(_ milliseconds: Int64) -> Instant { Instant.zero.advanced(by: .milliseconds(milliseconds)) }

    @Test func whoIsAwakeOrBusyHasNotSlept() {
        var watch = SleepWatch()
        // It had slept before it was looked at for the first time.
        #expect(watch.look(now: instant(90_000), awake: instant(5_000)) == false)
        #expect(watch.look(now: instant(91_000), awake: instant(6_000)) == false)
        // A program that was stopped for a minute was awake.
        #expect(watch.look(now: instant(151_000), awake: instant(66_000)) == false)
        #expect(watch.look(now: instant(152_999), awake: instant(66_000)) == false)
    }

    @Test func aSleepIsToldOnce() {
        var watch = SleepWatch()
        #expect(watch.look(now: instant(0), awake: instant(7)) == false)
        #expect(watch.look(now: instant(8_000), awake: instant(1_007)) == true)
        #expect(watch.look(now: instant(9_000), awake: instant(2_007)) == false)
        #expect(watch.look(now: instant(12_000), awake: instant(3_007)) == true)
    }
}
