import Testing

@testable import lattice_bench

/// Figures beside their limits.
@Suite struct TallyTests {
    @Test func aFigureIsTheMedianOfItsRoundsAndHasItsRatioBesideIt() {
        var tally = Tally()
        for value in [10.0, 30, 20] { tally.add(cost: "rtt_us", value, limit: 10) }
        tally.add(rate: "per_s", 50, limit: 200)
        tally.add(cost: "bytes", 30, limit: 20)
        #expect(tally.figures["rtt_us"] as? Double == 20)
        #expect(tally.figures["rtt_us_times_limit"] as? Double == 2)
        #expect(tally.figures["limit_per_s"] as? Double == 200)
        #expect(tally.figures["per_s_of_limit"] as? Double == 0.25)
        #expect(tally.figures["bytes_times_limit"] as? Double == 1.5)
    }

    @Test func memoryWithoutACompilerHasNoLimit() throws {
        var tally = Tally()
        try tally.add(memory: "rss_kb", 20_000, beside: nil)
        #expect(tally.figures.keys.sorted() == ["rss_kb"])
    }

    @Test func whatIsNoNumberIsLeftOut() {
        var tally = Tally()
        tally.add(cost: "cpu", 3, limit: 0)
        tally.add("share", .nan)
        #expect(tally.figures.keys.sorted() == ["cpu", "limit_cpu"])
    }

    @Test(arguments: [
        (0.000_123_456, 0.000_123_5), (0.086_14, 0.086_14), (1.999_99, 2), (39.456, 39.46), (1_091_234.6, 1_091_235),
        (-12.345_6, -12.35), (0, 0),
    ])
    func figuresHaveFourDigitsOrAllOfTheirWhole(value: Double, shown: Double) {
        var tally = Tally()
        tally.add("value", value)
        #expect(tally.figures["value"] as? Double == shown)
    }
}
