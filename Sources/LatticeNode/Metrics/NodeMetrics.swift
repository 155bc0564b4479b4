import CoreMetrics
import LatticeAPI
import LatticeCore
import LatticeMetrics
import LatticeWire

/// Reports to the metrics backend that the program chose; without one the calls do nothing. `descriptions` has the names and
/// their meaning.
///
/// No dimension is chosen by strangers, such as a peer's id: a backend keeps one series for each value.
package final class NodeMetrics: Sendable {
    /// How a record arrived.
    enum Way: String, CaseIterable {
        case said
        case heard
        case fetched

        fileprivate var index: Int {
            switch self {
            case .said: 0
            case .heard: 1
            case .fetched: 2
            }
        }
    }

    /// The length of a queue, and how long its oldest entry has waited.
    struct Queue: Equatable {
        var depth: Int
        var age: Duration

        /// - Parameter since: when the oldest entry arrived; `nil` if the queue is empty.
        init(_ depth: Int, since: Instant?, at now: Instant) {
            self.depth = depth
            age = since.map { max(.zero, $0.duration(to: now)) } ?? .zero
        }
    }

    /// Values that can be counted at any time.
    struct Depths: Equatable {
        var stats: NodeStats
        /// Records for busy links.
        var backlog: Queue
        /// Records to be stored.
        var keep: Queue
        /// Steps of comparisons.
        var compare: Queue
        /// Records to be served to peers that asked for them.
        var serve: Queue
        var progress: SyncProgress
    }

    /// Kinds that are not in the table yet.
    static let otherKind = "other"
    static let kinds: [RecordKind: String] = [
        .chat: "chat", .presence: "presence", .profile: "profile", .post: "post", .comment: "comment", .like: "like",
        .follow: "follow", .event: "event", .place: "place", .attendance: "attendance", .edit: "edit",
        .deletion: "deletion",
        .sealed: "sealed", .prekeys: "prekeys", .residence: "residence",
        .reaction: "reaction", .pin: "pin", .card: "card", .crossing: "crossing", .manifest: "file",
    ]

    /// Length of a queue, and the wait of its oldest entry.
    private struct QueueGauges: Sendable {
        let depth: Gauge
        let age: Gauge

        init(_ name: String, _ factory: any MetricsFactory) {
            depth = Gauge(label: "lattice_queue_depth", dimensions: [("queue", name)], factory: factory)
            age = Gauge(label: "lattice_queue_age_seconds", dimensions: [("queue", name)], factory: factory)
        }

        func record(_ queue: Queue) {
            depth.record(queue.depth)
            age.record(queue.age.seconds)
        }
    }

    private let links, incoming, outgoing, halfOpen, addresses, waitingBytes, caughtUp, missing: Gauge
    private let backlog, keep, compare, serve: QueueGauges
    /// Indexed by type and kind number: every frame and record is counted, and looking up a name would take longer.
    private let received: [Counter?]
    private let sent: [Counter?]
    /// For each way, indexed by kind; 0, which no kind has, stands for kinds outside the table.
    private let records: [[Counter?]]
    private let refused: [RefusalReason: Counter]
    private let comparisons: Counter
    private let lag: Timer
    let store: StoreMetrics
    let bridges: BridgeMetrics

    init(_ factory: any MetricsFactory) {
        func gauge(_ label: String, _ dimensions: [(String, String)] = []) -> Gauge {
            Gauge(label: label, dimensions: dimensions, factory: factory)
        }
        func counters<Key: Hashable>(
            _ label: String, _ keys: some Sequence<Key>, _ dimensions: (Key) -> [(String, String)]
        ) -> [Key: Counter] {
            Dictionary(
                uniqueKeysWithValues: keys.map { key in
                    (key, Counter(label: label, dimensions: dimensions(key), factory: factory))
                })
        }
        links = gauge("lattice_links")
        incoming = gauge("lattice_connections", [("direction", "in")])
        outgoing = gauge("lattice_connections", [("direction", "out")])
        halfOpen = gauge("lattice_half_open")
        addresses = gauge("lattice_handshake_addresses")
        waitingBytes = gauge("lattice_waiting_bytes")
        caughtUp = gauge("lattice_sync_caught_up")
        missing = gauge("lattice_sync_missing")
        backlog = QueueGauges("backlog", factory)
        keep = QueueGauges("keep", factory)
        compare = QueueGauges("compare", factory)
        serve = QueueGauges("serve", factory)
        func frames(_ label: String) -> [Counter?] {
            let all = counters(label, Frame.TypeNumber.allCases) { [("type", "\($0)")] }
            let last = Frame.TypeNumber.allCases.map(\.rawValue).max() ?? 0
            return (0...last).map { number in Frame.TypeNumber(rawValue: number).flatMap { all[$0] } }
        }
        received = frames("lattice_frames_received_total")
        sent = frames("lattice_frames_sent_total")
        records = Way.allCases.map { way in
            let names = Self.kinds.values.sorted() + [Self.otherKind]
            let all = counters("lattice_records_total", names) { [("kind", $0), ("way", way.rawValue)] }
            let last = Self.kinds.keys.map(\.rawValue).max() ?? 0
            return (0...last).map { all[Self.kinds[RecordKind(rawValue: $0)] ?? Self.otherKind] }
        }
        refused = counters("lattice_refused_total", RefusalReason.allCases) { [("reason", $0.rawValue)] }
        comparisons = Counter(label: "lattice_sync_comparisons_total", factory: factory)
        lag = Timer(label: Self.lagName, dimensions: [], preferredDisplayUnit: .seconds, factory: factory)
        store = StoreMetrics(factory)
        bridges = BridgeMetrics(factory)
    }

    func received(_ frames: [Frame]) {
        for frame in frames { received[Int(frame.type.rawValue)]?.increment() }
    }

    func sent(_ type: Frame.TypeNumber) {
        sent[Int(type.rawValue)]?.increment()
    }

    func took(_ kind: RecordKind, _ way: Way) {
        let counters = records[way.index]
        let isKnown = kind.rawValue < UInt64(counters.count)
        counters[isKnown ? Int(kind.rawValue) : 0]?.increment()
    }

    func compared() {
        comparisons.increment()
    }

    /// How long something waited for its turn on the event loop.
    func lagged(by duration: Duration) {
        lag.recordNanoseconds(max(0, duration.nanoseconds))
    }

    /// - Parameter before: the counts at the last report, as a counter is given the difference.
    func measure(_ depths: Depths, refusedBefore before: RefusalCounts) {
        let stats = depths.stats
        links.record(stats.links)
        incoming.record(stats.incoming)
        outgoing.record(stats.outgoing)
        halfOpen.record(stats.halfOpen)
        addresses.record(stats.addresses)
        waitingBytes.record(stats.waitingBytes)
        caughtUp.record(depths.progress.isCaughtUp ? 1 : 0)
        missing.record(depths.progress.total - depths.progress.fetched)
        backlog.record(depths.backlog)
        keep.record(depths.keep)
        compare.record(depths.compare)
        serve.record(depths.serve)
        for (reason, count) in stats.refused.happened where count > before[reason] {
            refused[reason]?.increment(by: count - before[reason])
        }
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(nanoseconds) / 1_000_000_000 }
}
