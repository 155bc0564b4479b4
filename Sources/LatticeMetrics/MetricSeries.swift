import CoreMetrics
import Synchronization

/// One series; written and read from any thread.
protocol MetricSeries: AnyObject, Sendable {
    var value: MetricFamily.Value { get }
}

final class CounterSeries: MetricSeries, CounterHandler {
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) {
        // A decreasing counter would look like a restart of the process.
        guard amount > 0 else { return }
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    func reset() { count.store(0, ordering: .relaxed) }

    var value: MetricFamily.Value { .number(Double(count.load(ordering: .relaxed))) }
}

final class GaugeSeries: MetricSeries, RecorderHandler, MeterHandler {
    private let bits = Atomic<UInt64>(0)

    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) {
        // JSON cannot represent non-finite numbers, and they mean nothing here.
        guard value.isFinite else { return }
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func increment(by amount: Double) {
        guard amount.isFinite else { return }
        var before = bits.load(ordering: .relaxed)
        while true {
            let after = (Double(bitPattern: before) + amount).bitPattern
            let (isDone, now) = bits.compareExchange(expected: before, desired: after, ordering: .relaxed)
            if isDone { return }
            before = now
        }
    }

    func decrement(by amount: Double) { increment(by: -amount) }

    var value: MetricFamily.Value { .number(Double(bitPattern: bits.load(ordering: .relaxed))) }
}

final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    private struct State {
        /// One for each bound, and one for larger values.
        var counts: [Int]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.sum += value
        }
    }

    var value: MetricFamily.Value {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        var total = 0
        let buckets = zip(bounds, counts).map { bound, count in
            total += count
            return MetricFamily.Histogram.Bucket(upTo: bound, count: total)
        }
        return .histogram(
            MetricFamily.Histogram(buckets: buckets, count: counts.reduce(0, +), sum: sum))
    }
}
