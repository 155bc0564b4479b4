package import CoreMetrics
import Synchronization

/// Collects all metrics that this process reports through swift-metrics, and returns them on request: a backend that
/// sends nothing.
///
/// A name is looked up once, when its counter is made; after that, counting is an addition.
package final class MetricRegistry: MetricsFactory {
    /// A node has some three hundred. If there are more, labels are probably made from strangers' texts, and the rest
    /// is dropped.
    package static let seriesMaxUsual = 2_048

    /// Counts series dropped because there were too many, or because the name has another kind.
    static let lostName = "lattice_metrics_lost_total"

    private struct Family {
        let kind: MetricFamily.Kind
        var series: [[MetricFamily.Label]: any MetricSeries] = [:]
    }

    private struct State {
        var families: [String: Family] = [:]
        var seriesCount = 0
        var lost = 0
    }

    private let descriptions: [String: MetricDescription]
    private let seriesMax: Int
    private let others: @Sendable () -> [MetricFamily]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - descriptions: of the names that will be made.
    ///   - others: read on request, for values that nobody counts, such as memory usage.
    package init(
        _ descriptions: [MetricDescription] = [], seriesMax: Int = seriesMaxUsual,
        others: @escaping @Sendable () -> [MetricFamily] = { [] }
    ) {
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }) { first, _ in first }
        self.seriesMax = seriesMax
        self.others = others
    }

    package func families() -> [MetricFamily] {
        // Each series is read outside of the lock, by itself.
        let (families, lost) = state.withLock { ($0.families, $0.lost) }
        var all = families.map { name, family in
            MetricFamily(
                name, family.kind, descriptions[name]?.help ?? "",
                family.series.map { MetricFamily.Series($0.key, $0.value.value) })
        }
        all.append(
            MetricFamily(Self.lostName, .counter, "Series that were dropped because there were too many.", Double(lost))
        )
        let taken = Set(all.map(\.name))
        all += others().filter { !taken.contains($0.name) }
        return all.sorted { $0.name < $1.name }
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        handler(MetricName.fitting(label, suffix: "_total"), .counter, dimensions) { _ in CounterSeries() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        handler(MetricName.fitting(label), .gauge, dimensions) { _ in GaugeSeries() }
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        let name = MetricName.fitting(label)
        guard aggregate else { return handler(name, .gauge, dimensions) { _ in GaugeSeries() } }
        return handler(name, .histogram, dimensions) { HistogramSeries(bounds: $0) }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        handler(MetricName.fitting(label, suffix: "_seconds"), .histogram, dimensions) {
            HistogramSeries(bounds: $0)
        }
    }

    /// The series of this name and these labels. Over the limit, or if the name has another kind, a new one that nobody
    /// reads.
    private func handler<New: MetricSeries>(
        _ name: String, _ kind: MetricFamily.Kind, _ dimensions: [(String, String)], _ make: ([Double]) -> New
    ) -> New {
        let labels = MetricName.labels(dimensions)
        let bounds = descriptions[name].map(\.bounds) ?? []
        return state.withLock { state in
            if let there = state.families[name]?.series[labels] as? New { return there }
            let new = make(bounds.isEmpty ? MetricDescription.secondsBounds : bounds)
            let isSame = state.families[name].map { $0.kind == kind && $0.series[labels] == nil } ?? true
            guard isSame, state.seriesCount < seriesMax else {
                state.lost += 1
                return new
            }
            state.families[name, default: Family(kind: kind)].series[labels] = new
            state.seriesCount += 1
            return new
        }
    }

    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    private func remove(_ handler: AnyObject) {
        state.withLock { state in
            for (name, family) in state.families {
                guard let labels = family.series.first(where: { $0.value === handler })?.key else { continue }
                state.families[name]?.series[labels] = nil
                if family.series.count == 1 { state.families[name] = nil }
                state.seriesCount -= 1
                return
            }
        }
    }
}
