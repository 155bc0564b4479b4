import CoreMetrics
import Testing

@testable import LatticeMetrics

/// What is counted, and how it stands.
@Suite struct TallyTests {
    private func names(_ tally: Tally) -> [String] { tally.families().map(\.name) }

    @Test func whatIsToldStandsThere() {
        let tally = Tally()
        let counter = Counter(label: "said_total", dimensions: [("way", "loud")], factory: tally)
        counter.increment()
        counter.increment(by: 2)
        Counter(label: "said_total", dimensions: [("way", "soft")], factory: tally).increment()
        Gauge(label: "open", factory: tally).record(7)
        Gauge(label: "open", factory: tally).record(2.5)
        let meter = Meter(label: "level", factory: tally)
        meter.set(4)
        meter.increment(by: 2)
        meter.decrement(by: 0.5)
        let families = tally.families()
        #expect(families.number("said_total", ("way", "loud")) == 3)
        #expect(families.number("said_total", ("way", "soft")) == 1)
        #expect(families.number("open") == 2.5)
        #expect(families.number("level") == 5.5)
        #expect(families["said_total"]?.kind == .counter && families["open"]?.kind == .gauge)
    }

    @Test func twoOfOneNameAreOne() {
        let tally = Tally()
        for _ in 0..<3 {
            Counter(label: "a", dimensions: [("x", "1"), ("y", "2")], factory: tally).increment()
            Counter(label: "a", dimensions: [("y", "2"), ("x", "1")], factory: tally).increment()
        }
        #expect(tally.families().number("a_total", ("x", "1"), ("y", "2")) == 6)
        #expect(tally.families()["a_total"]?.series.count == 1)
    }

    /// A counter goes up only; what is no number is none.
    @Test func whatMeansNothingIsNotCounted() {
        let tally = Tally()
        let counter = Counter(label: "a", factory: tally)
        counter.increment(by: 5)
        counter.increment(by: -3)
        let gauge = Gauge(label: "b", factory: tally)
        gauge.record(1)
        for value in [Double.nan, .infinity, -.infinity] { gauge.record(value) }
        let recorder = Recorder(label: "c", factory: tally)
        recorder.record(Double.nan)
        #expect(tally.families().number("a_total") == 5)
        #expect(tally.families().number("b") == 1)
        #expect(tally.families()["c"]?.series.first?.value == .histogram(empty(MetricDescription.secondsBounds)))
        counter.reset()
        #expect(tally.families().number("a_total") == 0)
    }

    private func empty(_ bounds: [Double]) -> MetricFamily.Histogram {
        .init(buckets: bounds.map { .init(upTo: $0, count: 0) }, count: 0, sum: 0)
    }

    @Test func aBucketHasWhatIsItsBoundAndThoseBelow() {
        let tally = Tally([MetricDescription("size", "How large.", bounds: [1, 10, 100])])
        let recorder = Recorder(label: "size", factory: tally)
        for value in [0.5, 1, 1.000_1, 10, 99, 100, 101] { recorder.record(value) }
        let series = tally.families()["size"]?.series
        #expect(
            series?.map(\.value) == [
                .histogram(
                    .init(
                        buckets: [.init(upTo: 1, count: 2), .init(upTo: 10, count: 4), .init(upTo: 100, count: 6)],
                        count: 7, sum: 312.500_1))
            ])
    }

    @Test func aTimerIsToldInSeconds() throws {
        let tally = Tally()
        Timer(label: "lag", factory: tally).recordMilliseconds(20)
        let family = try #require(tally.families()["lag_seconds"])
        #expect(family.kind == .histogram)
        guard case .histogram(let histogram)? = family.series.first?.value else { throw Missing() }
        #expect(histogram.sum == 0.02 && histogram.count == 1)
        #expect(histogram.bound(of: 0.5) == 0.025)
        #expect(histogram.bound(of: 1) == 0.025)
    }

    private struct Missing: Error {}

    @Test func aShareHasItsBound() {
        let histogram = MetricFamily.Histogram(
            buckets: [.init(upTo: 1, count: 90), .init(upTo: 2, count: 99)], count: 100, sum: 0)
        #expect(histogram.bound(of: 0.5) == 1)
        #expect(histogram.bound(of: 0.9) == 1)
        #expect(histogram.bound(of: 0.91) == 2)
        #expect(histogram.bound(of: 1) == nil)
        #expect(empty([1]).bound(of: 0.5) == nil)
    }

    // MARK: - Limits

    @Test func beyondTheLimitNothingIsKeptAndThatIsTold() {
        let tally = Tally(seriesMax: 2)
        for number in 0..<5 {
            Counter(label: "a", dimensions: [("n", "\(number)")], factory: tally).increment()
        }
        #expect(tally.families()["a_total"]?.series.count == 2)
        #expect(tally.families().number(Tally.lostName) == 3)
        // What was there goes on.
        Counter(label: "a", dimensions: [("n", "1")], factory: tally).increment()
        #expect(tally.families().number("a_total", ("n", "1")) == 2)
        #expect(tally.families().number(Tally.lostName) == 3)
    }

    @Test func whatIsTakenAwayMakesRoom() {
        let tally = Tally(seriesMax: 1)
        let counter = Counter(label: "a", factory: tally)
        counter.destroy()
        Gauge(label: "b", factory: tally).record(3)
        #expect(names(tally) == ["b", Tally.lostName])
        #expect(tally.families().number(Tally.lostName) == 0)
    }

    @Test func oneNameIsOneKind() {
        let tally = Tally()
        Counter(label: "a_total", factory: tally).increment()
        Gauge(label: "a_total", factory: tally).record(9)
        #expect(tally.families().number("a_total") == 1)
        #expect(tally.families().number(Tally.lostName) == 1)
    }

    @Test(arguments: [
        ("a.b-c d", "a_b_c_d"), ("9lives", "_9lives"), ("", "_"), ("a:b", "a:b"), ("größe", "gr____e"),
        ("A_z0", "A_z0"),
    ])
    func aNameIsOneThatPrometheusTakes(label: String, name: String) {
        let tally = Tally()
        Gauge(label: label, factory: tally).record(1)
        #expect(names(tally).contains(name))
    }

    @Test func aLabelIsOneThatPrometheusTakes() {
        let tally = Tally()
        let long = String(repeating: "ä", count: 100)
        Gauge(label: "a", dimensions: [("le", "x"), ("b:c", long), ("b_c", "second")], factory: tally).record(1)
        #expect(
            tally.families()["a"]?.series.first?.labels
                == [.init("b_c", String(repeating: "ä", count: 64)), .init("le_", "x")])
    }

    @Test func othersAreLookedAtWhenSomebodyAsks() {
        let tally = Tally(others: { [MetricFamily("z", .gauge, "", 4), MetricFamily("a", .gauge, "", 5)] })
        Gauge(label: "a", factory: tally).record(1)
        #expect(tally.families().number("z") == 4)
        // What is counted here hides another family of its name.
        #expect(tally.families().number("a") == 1)
        #expect(names(tally) == names(tally).sorted())
    }

    @Test func manyCountAtOnce() async {
        let tally = Tally()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for number in 0..<1_000 {
                        Counter(label: "a", dimensions: [("n", "\(number % 10)")], factory: tally).increment()
                        Meter(label: "m", factory: tally).increment(by: 1)
                    }
                }
            }
        }
        let series = tally.families()["a_total"]?.series ?? []
        #expect(series.map(\.number) == Array(repeating: 800, count: 10))
        #expect(tally.families().number("m") == 8_000)
    }

    @Test func aProcessKnowsWhatItTakes() {
        let families = ProcessMeter().families()
        #expect((families.number("process_resident_memory_bytes") ?? 0) > 1_000_000)
        #expect((families.number("process_open_fds") ?? 0) >= 3)
        #expect((families.number("process_cpu_seconds_total") ?? 0) > 0)
        let started = families.number("process_start_time_seconds") ?? 0
        #expect(started > 1_600_000_000)
        #expect(abs((ProcessMeter().families().number("process_start_time_seconds") ?? 0) - started) < 1)
    }
}
