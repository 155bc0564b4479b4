import CoreMetrics
import LatticeAPI

/// What the bridges beside this node report.
struct BridgeMetrics: Sendable {
    /// A count of a report, and its counter.
    private struct Count: Sendable {
        let counter: Counter
        let value: @Sendable (BridgeReport) -> Int
    }

    private let counts: [Count]
    private let connected, behindIn, behindOut: Gauge

    init(_ factory: any MetricsFactory) {
        func answer(_ way: String, _ answer: String, _ value: @escaping @Sendable (BridgeReport) -> Int) -> Count {
            let dimensions = [("way", way), ("answer", answer)]
            let counter = Counter(label: "lattice_bridge_records_total", dimensions: dimensions, factory: factory)
            return Count(counter: counter, value: value)
        }
        func behind(_ way: String) -> Gauge {
            Gauge(label: "lattice_bridge_behind", dimensions: [("way", way)], factory: factory)
        }
        counts = [
            answer("in", "added") { $0.taken.added }, answer("in", "known") { $0.taken.known },
            answer("in", "expired") { $0.taken.expired }, answer("in", "refused") { $0.taken.refused },
            answer("out", "added") { $0.published.stored }, answer("out", "known") { $0.published.known },
            Count(counter: Counter(label: "lattice_bridge_retries_total", factory: factory)) { $0.published.repeated },
        ]
        (behindIn, behindOut) = (behind("in"), behind("out"))
        connected = Gauge(label: "lattice_bridge_connected", factory: factory)
    }

    /// - Parameter before: the report whose counts are in the counters already.
    func count(_ report: BridgeReport, after before: BridgeReport?) {
        for count in counts {
            let news = count.value(report) - (before.map(count.value) ?? 0)
            if news > 0 { count.counter.increment(by: news) }
        }
    }

    func measure(_ reports: [BridgeReport]) {
        connected.record(reports.count(where: \.isConnected))
        behindIn.record(reports.reduce(0) { $0 + ($1.behindIn ?? 0) })
        behindOut.record(reports.reduce(0) { $0 + ($1.behindOut ?? 0) })
    }
}
