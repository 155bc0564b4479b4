import LatticeAPI
import LatticeConcurrency
import LatticeCore

/// Whether the broker is there, and who waits for it.
struct LiveLink {
    private(set) var isUp = false
    private(set) var lostAt: Duration?
    /// Everything that the node has for other networks was published.
    var isFed = false
    let feedSignal = Signal()
    let answerSignal = Signal()
    var feedPace = LivePace()
    var answerPace = LivePace()

    mutating func up() {
        (isUp, lostAt) = (true, nil)
        feedSignal.raise()
        answerSignal.raise()
    }

    mutating func down(at now: Duration) {
        (isUp, lostAt) = (false, lostAt ?? now)
    }
}

/// What was read of the node and is not published yet.
struct LiveFlow {
    /// The feed's number at the node; `nil` between two.
    private(set) var feed: Int?
    private var batches: [RecordBatch] = []
    let signal = Signal()

    var isEmpty: Bool { batches.isEmpty }

    mutating func begin(_ feed: Int) { (self.feed, batches) = (feed, []) }

    mutating func end() { (feed, batches) = (nil, []) }

    mutating func add(_ batch: RecordBatch) {
        batches.append(batch)
        signal.raise()
    }

    /// All that waits.
    mutating func next() -> (feed: Int, batches: [RecordBatch])? {
        guard let feed, !batches.isEmpty else { return nil }
        defer { batches = [] }
        return (feed, batches)
    }
}

/// Slows down what is published: a broker keeps about a thousand messages for a slow reader, and drops the rest.
struct LivePace {
    private static let rate = TokenBucket.Rate(perSecond: 2_000, burst: 256)

    private var bucket = TokenBucket()

    /// - Returns: how long to wait before these are published.
    mutating func delay(_ count: Int, at now: Duration) -> Duration {
        let instant = Instant(nanoseconds: now.nanoseconds)
        defer { bucket.charge(Int64(count), of: Self.rate, at: instant) }
        return bucket.emptyUntil(of: Self.rate, at: instant).map { instant.duration(to: $0) } ?? .zero
    }
}
