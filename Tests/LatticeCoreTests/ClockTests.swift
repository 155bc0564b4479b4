import LatticeCore
import Testing

struct ClockTests {
    @Test func aDateHoldsMillisecondsAndCounter() {
        let time = HybridTime(wallTime: WallTime(milliseconds: 1_700_000_000_000), counter: 7)
        #expect(time.rawValue == 1_700_000_000_000 << 16 | 7)
        #expect(time.wallTime == WallTime(milliseconds: 1_700_000_000_000))
    }

    @Test func aDateBefore1970Is1970() {
        #expect(HybridTime(wallTime: WallTime(milliseconds: -5)).rawValue == 0)
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
        #expect(last.wallTime == WallTime(milliseconds: 6))
    }

    @Test func whatIsSaidStandsBehindWhatWasHeard() {
        var clock = HybridClock()
        let now = WallTime(milliseconds: 1_800_000_000_000)
        let threeDays: Int64 = 3 * 86_400_000
        let question = HybridTime(wallTime: WallTime(milliseconds: now.milliseconds + threeDays), counter: 4)
        clock.heard(question, at: now)
        #expect(clock.next(at: now).rawValue == question.rawValue + 1)
        // What is older changes nothing.
        clock.heard(HybridTime(wallTime: now), at: now)
        #expect(clock.next(at: now).rawValue == question.rawValue + 2)
    }

    @Test func aClockThatIsTooFarAheadCarriesNobodyAlong() {
        let now = WallTime(milliseconds: 1_800_000_000_000)
        let limit = HybridClock.carriedAheadMax.nanoseconds / 1_000_000
        for (ahead, isFollowed) in [(limit - 1, true), (limit, true), (limit + 1, false), (1 << 47, false)] {
            var clock = HybridClock()
            let time = HybridTime(wallTime: WallTime(milliseconds: now.milliseconds + ahead))
            clock.heard(time, at: now)
            #expect((clock.next(at: now) > time) == isFollowed, "\(ahead)")
        }
    }

    @Test func ownDatesGrowHoweverFarAheadTheyAre() {
        let (now, year) = (WallTime(milliseconds: 1_800_000_000_000), WallTime(milliseconds: 1_831_536_000_000))
        var clock = HybridClock(after: HybridTime(wallTime: year))
        #expect(clock.next(at: now).rawValue == HybridTime(wallTime: year).rawValue + 1)
        clock.made(HybridTime(rawValue: .max - 1))
        #expect(clock.next(at: now).rawValue == .max)
        // At the end of all dates there is only the wall clock.
        #expect(clock.next(at: now) == HybridTime(wallTime: now))
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
