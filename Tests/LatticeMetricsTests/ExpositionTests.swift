import Foundation
import Testing

@testable import LatticeMetrics

/// How it is written down: by the examples of Prometheus' "Text-based format".
@Suite struct ExpositionTests {
    @Test func namesAndLabelsHaveTheirOrder() {
        let families = [
            MetricFamily("b_total", .counter, "Second.", 2),
            MetricFamily(
                "a_total", .counter, "First.",
                [
                    .init([.init("way", "z"), .init("kind", "chat")], .number(1)),
                    .init([.init("kind", "chat"), .init("way", "a")], .number(3)),
                    .init([], .number(0)),
                ]),
        ]
        #expect(
            Exposition.text(families) == """
                # HELP a_total First.
                # TYPE a_total counter
                a_total 0
                a_total{kind="chat",way="a"} 3
                a_total{kind="chat",way="z"} 1
                # HELP b_total Second.
                # TYPE b_total counter
                b_total 2

                """)
    }

    @Test func whatMeansSomethingElseIsEscaped() {
        let family = MetricFamily(
            "a", .gauge, "One \\ and\nmore \"words\".", [.init([.init("path", "C:\\DIR\n\"x\"")], .number(1))])
        #expect(
            Exposition.text([family]) == """
                # HELP a One \\\\ and\\nmore "words".
                # TYPE a gauge
                a{path="C:\\\\DIR\\n\\"x\\""} 1

                """)
    }

    @Test func aHistogramHasItsBucketsItsSumAndItsCount() {
        let histogram = MetricFamily.Histogram(
            buckets: [.init(upTo: 0.05, count: 24), .init(upTo: 1, count: 33)], count: 40, sum: 53.5)
        let family = MetricFamily("lag_seconds", .histogram, "", [.init([.init("of", "me")], .histogram(histogram))])
        #expect(
            Exposition.text([family]) == """
                # TYPE lag_seconds histogram
                lag_seconds_bucket{of="me",le="0.05"} 24
                lag_seconds_bucket{of="me",le="1"} 33
                lag_seconds_bucket{of="me",le="+Inf"} 40
                lag_seconds_sum{of="me"} 53.5
                lag_seconds_count{of="me"} 40

                """)
    }

    @Test(arguments: [
        (0, "0"), (-0.5, "-0.5"), (1e15, "1000000000000000"), (1e300, "1e+300"), (.infinity, "+Inf"),
        (-.infinity, "-Inf"), (.nan, "NaN"), (0.000_1, "0.0001"),
    ])
    func aNumberIsWrittenSoThatItIsReadBack(number: Double, text: String) {
        #expect(Exposition.written(number) == text)
    }

    /// As it goes over the control socket.
    @Test func aFamilyIsReadBackAsItWasWritten() throws {
        let families = [
            MetricFamily("a", .gauge, "A.", 1.5),
            MetricFamily(
                "b_total", .counter, "",
                [.init([.init("x", "1"), .init("y", "\"")], .number(3)), .init([.init("x", "2")], .number(4))]),
            MetricFamily(
                "c", .histogram, "C.",
                [.init([], .histogram(.init(buckets: [.init(upTo: 1, count: 2)], count: 3, sum: 9)))]),
        ]
        let bytes = try JSONEncoder().encode(families)
        #expect(try JSONDecoder().decode([MetricFamily].self, from: bytes) == families)
    }
}
