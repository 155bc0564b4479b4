import LatticeCore

/// Late lines of a room. After a long separation thousands arrive at once: some are shown, the others counted.
struct IRCLateLines {
    private static let shownMax = 30
    private static let pause: Duration = .seconds(5)
    private var shown = 0
    private(set) var hidden = 0
    private var lastAt = Instant.zero

    mutating func shows(at now: Instant) -> Bool {
        lastAt = now
        guard shown < Self.shownMax else {
            hidden += 1
            return false
        }
        shown += 1
        return true
    }

    func isOver(at now: Instant) -> Bool { lastAt.advanced(by: Self.pause) <= now }
}
