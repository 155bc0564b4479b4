/// Samples of one figure of one process.
struct EnduranceSeries {
    private(set) var points: [(seconds: Double, value: Double)] = []
    /// Length of the run in seconds. Quarters are by time and not by number of samples.
    let duration: Double

    init(duration: Double) {
        self.duration = duration
    }

    mutating func add(_ value: Double, at seconds: Double) {
        points.append((seconds, value))
    }

    /// - Parameter number: from 0 to 3.
    func quarter(_ number: Int) -> [Double] {
        points.filter { Self.quarter(of: $0.seconds, in: duration) == number }.map(\.value)
    }

    static func quarter(of seconds: Double, in duration: Double) -> Int {
        min(3, max(0, Int(seconds / duration * 4)))
    }

    /// Growth a minute by least squares, from the second quarter on, when everything has been used once.
    var slopePerMinute: Double {
        let late = points.filter { $0.seconds >= duration / 4 }
        guard late.count > 1 else { return 0 }
        let count = Double(late.count)
        let (meanTime, meanValue) = (
            late.map(\.seconds).reduce(0, +) / count, late.map(\.value).reduce(0, +) / count
        )
        let spread = late.map { ($0.seconds - meanTime) * ($0.seconds - meanTime) }.reduce(0, +)
        guard spread > 0 else { return 0 }
        return late.map { ($0.seconds - meanTime) * ($0.value - meanValue) }.reduce(0, +) / spread * 60
    }
}
