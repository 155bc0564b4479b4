import LatticeCore

/// How many pieces may be on their way over one link.
///
/// As many as the link carries in its shortest round trip plus a little: more would only wait in the path, and lines of chat
/// behind them (the idea of BBR). A link starts with 8 and gets one more with each piece until round trips become longer.
struct BlobPace: Sendable {
    private static let first = 8
    private static let least = 2
    static let most = 256
    /// Over a path of less than a millisecond, more would only be lost if the receiver is killed.
    private static let mostNearby = 9
    private static let sampleCount = 8
    private static let roundTripLasts: Duration = .seconds(10)

    /// When a piece was asked for, and how many had come by then.
    struct Mark: Sendable {
        let at: Instant
        let delivered: Int
    }

    private(set) var window = Self.first
    private var isStarting = true
    private var roundTrip: Duration?
    private var roundTripAt: Instant = .zero
    private var delivered = 0
    /// Pieces per second over the last round trips.
    private var rates: [Double] = []

    func mark(at now: Instant) -> Mark { Mark(at: now, delivered: delivered) }

    mutating func came(_ mark: Mark, at now: Instant) {
        delivered += 1
        let took = mark.at.duration(to: now)
        if roundTrip.map({ took <= $0 || roundTripAt.duration(to: now) > Self.roundTripLasts }) ?? true {
            (roundTrip, roundTripAt) = (took, now)
        }
        rates.append(Double(delivered - mark.delivered) / max(took.milliseconds / 1_000, 1e-6))
        if rates.count > Self.sampleCount { rates.removeFirst() }
        guard let roundTrip else { return }
        let most = roundTrip < .milliseconds(1) ? Self.mostNearby : Self.most
        let aim = roundTrip + min(max(roundTrip, .milliseconds(4)), .milliseconds(20))
        if isStarting, took <= aim { return window = min(window + 1, most) }
        isStarting = false
        let carried = (rates.max() ?? 0) * aim.milliseconds / 1_000
        window = min(max(Int(carried.rounded(.up)), Self.least), most)
    }

    /// The source was silent.
    mutating func slowDown() {
        isStarting = false
        rates.removeAll()
        window = max(window / 2, Self.least)
    }
}
