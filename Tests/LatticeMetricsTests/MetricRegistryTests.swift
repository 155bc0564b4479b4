import CoreMetrics
import Testing

@testable import LatticeMetrics

/// What is counted, and how it stands.
@Suite struct MetricRegistryTests {
    private func names(_ registry: MetricRegistry) -> [String] { registry.families().map(\.name) }

    @Test func whatIsToldStandsThere() {
        let registry = MetricRegistry()
        let counter = Counter(label: "said_total", dimensions: [("way", "loud")], factory: registry)
        counter.increment()
        counter.increment(by: 2)
        Counter(label: "said_total", dimensions: [("way", "soft")], factory: registry).increment()
        Gauge(label: "open", factory: registry).record(7)
        Gauge(label: "open", factory: registry).record(2.5)
        let meter = Meter(label: "level", factory: registry)
        meter.set(4)
        meter.increment(by: 2)
        meter.decrement(by: 0.5)
        let families = registry.families()
        #expect(families.number("said_total", ("way", "loud")) == 3)
        #expect(families.number("said_total", ("way", "soft")) == 1)
        #expect(families.number("open") == 2.5)
        #expect(families.number("level") == 5.5)
        #expect(families["said_total"]?.kind == .counter && families["open"]?.kind == .gauge)
    }

    @Test func twoOfOneNameAreOne() {
        let registry = MetricRegistry()
        for _ in 0..<3 {
            Counter(label: "a", dimensions: [("x", "1"), ("y", "2")], factory: registry).increment()
            Counter(label: "a", dimensions: [("y", "2"), ("x", "1")], factory: registry).increment()
        }
        #expect(registry.families().number("a_total", ("x", "1"), ("y", "2")) == 6)
        #expect(registry.families()["a_total"]?.series.count == 1)
    }

    /// A counter goes up only; what is no number is none.
    @Test func whatMeansNothingIsNotCounted() {
        let registry = MetricRegistry()
        let counter = Counter(label: "a", factory: registry)
        counter.increment(by: 5)
        counter.increment(by: -3)
        let gauge = Gauge(label: "b", factory: registry)
        gauge.record(1)
        for value in [Double.nan, .infinity, -.infinity] { gauge.record(value) }
        let recorder = Recorder(label: "c", factory: registry)
        recorder.record(Double.nan)
        #expect(registry.families().number("a_total") == 5)
        #expect(registry.families().number("b") == 1)
        #expect(registry.families()["c"]?.series.first?.value == .histogram(empty(MetricDescription.secondsBounds)))
        counter.reset()
        #expect(registry.families().number("a_total") == 0)
    }

    private func empty(_ bounds: [Double]) -> MetricFamily.Histogram {
        .init(buckets: bounds.map { .init(upTo: $0, count: 0) }, count: 0, sum: 0)
    }

    @Test func aBucketHasWhatIsItsBoundAndThoseBelow() {
        let registry = MetricRegistry([MetricDescription("size", "How large.", bounds: [1, 10, 100])])
        let recorder = Recorder(label: "size", factory: registry)
        for value in [0.5, 1, 1.000_1, 10, 99, 100, 101] { recorder.record(value) }
        let series = registry.families()["size"]?.series
        #expect(
            series?.map(\.value) == [
                .histogram(
                    .init(
                        buckets: [.init(upTo: 1, count: 2), .init(upTo: 10, count: 4), .init(upTo: 100, count: 6)],
                        count: 7, sum: 312.500_1))
            ])
    }

    @Test func aTimerIsToldInSeconds() throws {
        let registry = MetricRegistry()
        Timer(label: "lag", factory: registry).recordMilliseconds(20)
        let family = try #require(registry.families()["lag_seconds"])
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
        let registry = MetricRegistry(seriesMax: 2)
        for number in 0..<5 {
            Counter(label: "a", dimensions: [("n", "\(number)")], factory: registry).increment()
        }
        #expect(registry.families()["a_total"]?.series.count == 2)
        #expect(registry.families().number(MetricRegistry.lostName) == 3)
        // What was there goes on.
        Counter(label: "a", dimensions: [("n", "1")], factory: registry).increment()
        #expect(registry.families().number("a_total", ("n", "1")) == 2)
        #expect(registry.families().number(MetricRegistry.lostName) == 3)
    }

    @Test func whatIsTakenAwayMakesRoom() {
        let registry = MetricRegistry(seriesMax: 1)
        let counter = Counter(label: "a", factory: registry)
        counter.destroy()
        Gauge(label: "b", factory: registry).record(3)
        #expect(names(registry) == ["b", MetricRegistry.lostName])
        #expect(registry.families().number(MetricRegistry.lostName) == 0)
    }

    @Test func oneNameIsOneKind() {
        let registry = MetricRegistry()
        Counter(label: "a_total", factory: registry).increment()
        Gauge(label: "a_total", factory: registry).record(9)
        #expect(registry.families().number("a_total") == 1)
        #expect(registry.families().number(MetricRegistry.lostName) == 1)
    }

    @Test(arguments: [
        ("a.b-c d", "a_b_c_d"), ("9lives", "_9lives"), ("", "_"), ("a:b", "a:b"), ("größe", "gr____e"),
        ("A_z0", "A_z0"),
    ])
    func aNameIsOneThatPrometheusTakes(label: String, name: String) {
        let registry = MetricRegistry()
        Gauge(label: label, factory: registry).record(1)
        #expect(names(registry).contains(name))
    }

    @Test func aLabelIsOneThatPrometheusTakes() {
        let registry = MetricRegistry()
        let long = String(repeating: "ä", count: 100)
        Gauge(label: "a", dimensions: [("le", "x"), ("b:c", long), ("b_c", "second")], factory: registry).record(1)
        #expect(
            registry.families()["a"]?.series.first?.labels
                == [.init("b_c", String(repeating: "ä", count: 64)), .init("le_", "x")])
    }

    @Test func othersAreLookedAtWhenSomebodyAsks() {
        let registry = MetricRegistry(others: { [MetricFamily("z", .gauge, "", 4), MetricFamily("a", .gauge, "", 5)] })
        Gauge(label: "a", factory: registry).record(1)
        #expect(registry.families().number("z") == 4)
        // What is counted here hides another family of its name.
        #expect(registry.families().number("a") == 1)
        #expect(names(registry) == names(registry).sorted())
    }

    @Test func manyCountAtOnce() async {
        let registry = MetricRegistry()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for number in 0..<1_000 {
                        Counter(label: "a", dimensions: [("n", "\(number % 10)")], factory: registry).increment()
                        Meter(label: "m", factory: registry).increment(by: 1)
                    }
                }
            }
        }
        let series = registry.families()["a_total"]?.series ?? []
        #expect(series.map(\.number) == Array(repeating: 800, count: 10))
        #expect(registry.families().number("m") == 8_000)
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
