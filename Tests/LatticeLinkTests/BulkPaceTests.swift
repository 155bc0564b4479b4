import Testing

@testable import LatticeLink

struct BulkPaceTests {
    private let start = ContinuousClock.now

    @Test func theLimitIsTenMillisecondsOfTheLastSecond() {
        var pace = BulkPace(unsentBytes: 65_536)
        #expect(pace.sent(1_000_000, at: start) == nil)
        for tenth in 1...9 { #expect(pace.sent(1_000_000, at: start + .milliseconds(100 * tenth)) == nil) }
        #expect(pace.sent(1_000_000, at: start + .seconds(1)) == 100_000)
        #expect(pace.sent(8_000_000, at: start + .milliseconds(1_900)) == nil)
        #expect(pace.sent(22_000_000, at: start + .seconds(3)) == 150_000)
    }

    @Test func theLimitHasBounds() {
        var pace = BulkPace(unsentBytes: 65_536)
        _ = pace.sent(1, at: start)
        #expect(pace.sent(1_000_000_000, at: start + .seconds(1)) == 262_144)
        #expect(pace.sent(1_000_000_000, at: start + .seconds(2)) == nil)
        #expect(pace.sent(100, at: start + .seconds(600)) == 32_768)
        #expect(pace.sent(100, at: start + .seconds(601)) == nil)
    }
}
