import LatticeAPI
import LatticeCore

// What a node has open, waiting and turned down, told to the metrics backend once a second and at the end.
extension Node {
    func measure() {
        let now = stats
        metrics.measure(
            NodeMetrics.Depths(
                stats: now, keep: keeping.count, compare: comparisons.count,
                supply: supplies.values.reduce(0) { $0 + $1.count }),
            refusedBefore: refusedMeasured)
        refusedMeasured = now.refused
    }
}
