import CoreMetrics
import LatticeStore
import LatticeWire
import Synchronization

/// Contents of a store for the metrics backend; read only on request, as it takes a query.
final class StoreMetrics: Sendable {
    private let records: [String: Gauge]
    private let bytes: [String: Gauge]
    private let quota, file: Gauge
    private let expired, evicted: Counter
    /// What the counters have already been given.
    private let told = Mutex((expired: 0, evicted: 0))

    init(_ factory: any MetricsFactory) {
        func gauges(_ label: String) -> [String: Gauge] {
            let kinds = NodeMetrics.kinds.values.filter { $0 != "presence" } + [NodeMetrics.otherKind]
            return Dictionary(
                uniqueKeysWithValues: kinds.sorted().map { kind in
                    (kind, Gauge(label: label, dimensions: [("kind", kind)], factory: factory))
                })
        }
        records = gauges("lattice_store_records")
        bytes = gauges("lattice_store_bytes")
        quota = Gauge(label: "lattice_store_quota_bytes", factory: factory)
        file = Gauge(label: "lattice_store_file_bytes", factory: factory)
        expired = Counter(label: "lattice_store_expired_total", factory: factory)
        evicted = Counter(label: "lattice_store_evicted_total", factory: factory)
    }

    func measure(_ totals: StoreTotals, quotaBytes: Int) {
        var counts: [String: (records: Int, bytes: Int)] = [:]
        for kind in totals.kinds {
            let name = NodeMetrics.kinds[RecordKind(rawValue: kind.kind)] ?? NodeMetrics.otherKind
            let before = counts[name] ?? (0, 0)
            counts[name] = (before.records + kind.records, before.bytes + kind.bytes)
        }
        for (name, gauge) in records { gauge.record(counts[name]?.records ?? 0) }
        for (name, gauge) in bytes { gauge.record(counts[name]?.bytes ?? 0) }
        quota.record(quotaBytes)
        file.record(totals.fileBytes)
        let news = told.withLock { told in
            defer { told = (max(told.expired, totals.expired), max(told.evicted, totals.evicted)) }
            return (totals.expired - told.expired, totals.evicted - told.evicted)
        }
        if news.0 > 0 { expired.increment(by: news.0) }
        if news.1 > 0 { evicted.increment(by: news.1) }
    }
}
