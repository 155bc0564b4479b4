/// Figures of ours, each beside the bare one and with how many times that it is.
struct HTTPComparison {
    typealias Figures = [(name: String, value: Double)]

    /// - Parameter bare: the same figures in the same order.
    static func beside(_ ours: Figures, _ bare: Figures) -> [String: Any] {
        var figures: [String: Any] = [:]
        for (our, their) in zip(ours, bare) {
            precondition(our.name == their.name, "like is compared with like")
            figures[our.name] = rounded(our.value)
            figures["bare_" + their.name] = rounded(their.value)
            // Nothing is no measure: JSON has no infinity either.
            if their.value > 0 { figures["ratio_" + our.name] = rounded(our.value / their.value) }
        }
        return figures
    }
}

/// Answers, how long each took, and what they cost the one who gave them.
struct HTTPAsked: Sendable {
    /// Seconds, of each question.
    var times: [Double] = []
    /// Seconds, from the first question to the last answer.
    var wall = 0.0
    /// Seconds of processors.
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
