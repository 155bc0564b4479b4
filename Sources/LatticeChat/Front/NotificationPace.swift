import LatticeCore

/// Lets some notifications through, and counts what comes beyond, to be summed up in one line.
struct NotificationPace: Sendable {
    /// So many in one `interval` are shown one by one.
    static let shownMax = 5
    static let interval: Duration = .seconds(10)

    private var began: Instant?
    private var shown = 0
    private var held = 0

    /// Whether ticks are needed.
    var isWaiting: Bool { held > 0 }

    /// - Returns: whether this one is shown by itself.
    mutating func lets(at now: Instant) -> Bool {
        if held == 0, began.map({ $0.duration(to: now) >= Self.interval }) ?? true { (began, shown) = (now, 0) }
        guard shown < Self.shownMax else {
            held += 1
            return false
        }
        shown += 1
        return true
    }

    /// - Returns: how many were held back, once the interval is over.
    mutating func passed(at now: Instant) -> Int? {
        guard held > 0, let began, began.duration(to: now) >= Self.interval else { return nil }
        defer { (self.began, shown, held) = (now, Self.shownMax, 0) }
        return held
    }
}
