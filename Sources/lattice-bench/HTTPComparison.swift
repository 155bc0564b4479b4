/// Our figures, each with the plain server's figure and the ratio.
struct HTTPComparison {
    typealias Figures = [(name: String, value: Double)]

    /// - Parameter bare: the same figures in the same order.
    static func beside(_ ours: Figures, _ bare: Figures) -> [String: Any] {
        var figures: [String: Any] = [:]
        for (our, their) in zip(ours, bare) {
            precondition(our.name == their.name, "like is compared with like")
            figures[our.name] = rounded(our.value)
            figures["bare_" + their.name] = rounded(their.value)
            // A ratio to zero is meaningless, and JSON has no infinity.
            if their.value > 0 { figures["ratio_" + our.name] = rounded(our.value / their.value) }
        }
        return figures
    }
}

/// Response times, and their cost for the server.
struct HTTPAsked: Sendable {
    /// Of each request, in seconds.
    var times: [Double] = []
    /// From the first request to the last response, in seconds.
    var wall = 0.0
    /// Processor time in seconds.
    var work = 0.0

    var figures: HTTPComparison.Figures {
        let sample = Sample(times)
        return [
            ("p50_us", sample.median * 1e6), ("p99_us", sample.percentile(99) * 1e6),
            ("worst_us", sample.worst * 1e6), ("per_s", Double(times.count) / wall),
        ]
    }

    var workFigure: (name: String, value: Double) { ("cpu_us", work / Double(max(1, times.count)) * 1e6) }
}
