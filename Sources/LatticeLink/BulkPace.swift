/// Unsent bytes that the kernel may hold for a link that sends pieces: 10 ms of their rate. A line waits for them.
struct BulkPace {
    private static let period: Duration = .seconds(1)
    private static let holding: Duration = .milliseconds(10)
    /// Less slows down a link of 1 MB/s.
    private static let unsentBytesMin = 32 << 10
    /// More makes no link faster.
    private static let unsentBytesMax = 256 << 10

    private var unsentBytes: Int
    private var periodStart: ContinuousClock.Instant?
    private var bytes = 0

    /// - Parameter unsentBytes: the limit in force, kept for the first second of pieces.
    init(unsentBytes: Int) {
        self.unsentBytes = unsentBytes
    }

    /// - Returns: the new limit, if it changes: at most once a second.
    mutating func sent(_ count: Int, at now: ContinuousClock.Instant) -> Int? {
        guard let start = periodStart else {
            periodStart = now
            return nil
        }
        bytes += count
        let elapsed = start.duration(to: now)
        guard elapsed >= Self.period else { return nil }
        let perHolding = Int(Double(bytes) * (Self.holding / elapsed))
        periodStart = now
        bytes = 0
        let renewed = min(max(perHolding, Self.unsentBytesMin), Self.unsentBytesMax)
        guard renewed != unsentBytes else { return nil }
        unsentBytes = renewed
        return renewed
    }
}
