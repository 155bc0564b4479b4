/// At most ten steps a second.
struct StepPace: Sendable {
    private static let interval: Duration = .milliseconds(100)

    private var last: ContinuousClock.Instant?

    var hasBegun: Bool { last != nil }

    mutating func begin() {
        if last == nil { last = .now }
    }

    /// Whether a tenth of a second has passed. If so, the next one begins now.
    var isDue: Bool {
        mutating get {
            let now = ContinuousClock.now
            guard let last, last.duration(to: now) >= Self.interval else { return false }
            self.last = now
            return true
        }
    }
}
