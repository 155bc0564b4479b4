/// The help text of a metric, and the buckets if it is a histogram.
package struct MetricDescription: Hashable, Sendable {
    package let name: String
    package let help: String
    /// The ascending upper bounds of a histogram's buckets; empty for other kinds.
    package let bounds: [Double]

    package init(_ name: String, _ help: String, bounds: [Double] = []) {
        precondition(
            zip(bounds, bounds.dropFirst()).allSatisfy { $0.0 < $0.1 } && bounds.allSatisfy(\.isFinite),
            "the buckets of a histogram follow one another")
        (self.name, self.help, self.bounds) = (name, help, bounds)
    }

    /// Seconds, from imperceptible to obvious delays.
    package static let secondsBounds: [Double] = [
        0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
}
