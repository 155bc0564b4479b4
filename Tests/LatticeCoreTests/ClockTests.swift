import LatticeCore
import Testing

struct ClockTests {
    @Test func aDateHoldsMillisecondsAndCounter() {
        let time = HybridTime(wall: WallTime(milliseconds: 1_700_000_000_000), counter: 7)
        #expect(time.rawValue == 1_700_000_000_000 << 16 | 7)
        #expect(time.wall == WallTime(milliseconds: 1_700_000_000_000))
    }

    @Test func aDateBefore1970Is1970() {
        #expect(HybridTime(wall: WallTime(milliseconds: -5)).rawValue == 0)
    }

    @Test func datesGrowWhileTheWallClockStandsOrGoesBack() {
        var clock = HybridClock()
        let first = clock.next(at: WallTime(milliseconds: 1_000))
        let second = clock.next(at: WallTime(milliseconds: 1_000))
        let third = clock.next(at: WallTime(milliseconds: 10))
        let fourth = clock.next(at: WallTime(milliseconds: 1_001))
        #expect([first, second, third, fourth].map(\.rawValue) == [65_536_000, 65_536_001, 65_536_002, 65_601_536])
    }

    @Test func aFullCounterGoesOnIntoTheNextMillisecond() {
        var clock = HybridClock()
        var last = clock.next(at: WallTime(milliseconds: 5))
        for _ in 0..<70_000 {
            let next = clock.next(at: WallTime(milliseconds: 5))
            #expect(next > last)
            last = next
        }
        #expect(last.wall == WallTime(milliseconds: 6))
    }

    @Test func instantsAddUp() {
        let start = Instant(nanoseconds: 5)
        let later = start.advanced(by: .milliseconds(2))
        #expect(later.nanoseconds == 2_000_005)
        #expect(start.duration(to: later) == .milliseconds(2))
        #expect(start < later)
    }

    @Test func durationsSaturate() {
        #expect(Duration.seconds(Int64.max).nanoseconds == .max)
        #expect(Duration.seconds(Int64.min).nanoseconds == .min)
        #expect(Duration.seconds(-1).nanoseconds == -1_000_000_000)
        #expect(Duration.microseconds(1_500).milliseconds == 1.5)
    }
}
