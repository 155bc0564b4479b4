package import CoreMetrics
import Synchronization

/// Counts for the whole process what is told by swift-metrics, and tells how everything stands whenever somebody asks: a backend that
/// sends nothing anywhere.
///
/// Whoever counts looks a name up once, when a counter is made; from then on it adds to a number.
package final class Tally: MetricsFactory {
    /// A node has some three hundred. Beyond this somebody makes labels of what strangers say, and the rest is not kept.
    package static let seriesMaxUsual = 2_048

    /// Of those that there was no room for, or whose name stands for something else.
    static let lostName = "lattice_metrics_lost_total"

    private struct Family {
        let kind: MetricFamily.Kind
        var series: [[MetricFamily.Label]: any Standing] = [:]
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
    ///   - others: what nobody counts, and is looked at when somebody asks: how much memory there is, and its like.
    package init(
        _ descriptions: [MetricDescription] = [], seriesMax: Int = seriesMaxUsual,
        others: @escaping @Sendable () -> [MetricFamily] = { [] }
    ) {
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }) { first, _ in first }
        self.seriesMax = seriesMax
        self.others = others
    }

    /// How everything stands, by name.
    package func families() -> [MetricFamily] {
        // Looked at outside of the lock; each series is read for itself.
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

    // MARK: - Making

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        standing(MetricName.fitting(label, suffix: "_total"), .counter, dimensions) { _ in CountStanding() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        standing(MetricName.fitting(label), .gauge, dimensions) { _ in GaugeStanding() }
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        let name = MetricName.fitting(label)
        guard aggregate else { return standing(name, .gauge, dimensions) { _ in GaugeStanding() } }
        return standing(name, .histogram, dimensions) { HistogramStanding(bounds: $0) }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        standing(MetricName.fitting(label, suffix: "_seconds"), .histogram, dimensions) {
            HistogramStanding(bounds: $0)
        }
    }

    /// The one of this name and these labels; where there is no room, or the name is taken for something of another kind, one that
    /// nobody reads.
    private func standing<New: Standing>(
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

    // MARK: - Taking away

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
