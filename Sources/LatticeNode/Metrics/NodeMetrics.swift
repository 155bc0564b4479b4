import CoreMetrics
import LatticeAPI
import LatticeCore
import LatticeWire

/// What a node tells the metrics backend that the program has chosen; without one every call is a word into the wind.
///
/// | label | kind | dimensions | meaning |
/// |---|---|---|---|
/// | `lattice_links` | gauge | | neighbours |
/// | `lattice_connections` | gauge | `direction`: `in`, `out` | connections, handshakes and dials included |
/// | `lattice_half_open` | gauge | | of those that others began, the ones whose handshake is not over |
/// | `lattice_handshake_addresses` | gauge | | addresses of which it is remembered that they began a handshake lately |
/// | `lattice_waiting_bytes` | gauge | | bytes that wait to be sealed and written, of all links together |
/// | `lattice_queue_depth` | gauge | `queue` | `backlog`: records for busy links; `keep`: records to be stored; `compare`: steps of comparisons; `supply`: records to be sent to who asked for them |
/// | `lattice_frames_received_total`, `lattice_frames_sent_total` | counter | `type` | frames of the mesh, by the names that the protocol gives them |
/// | `lattice_records_total` | counter | `kind`, `way`: `said`, `heard`, `fetched` | records taken in, each once |
/// | `lattice_refused_total` | counter | `reason` | what was turned down, by `RefusalReason` |
///
/// There are no dimensions that strangers choose, such as who somebody is: a backend keeps one series for each value.
struct NodeMetrics: Sendable {
    /// How a record came.
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

    /// How much there is now of what can be counted at any time.
    struct Depths: Equatable {
        var stats: NodeStats
        var keep: Int
        var compare: Int
        var supply: Int
    }

    /// Whatever is not in the table of kinds yet.
    private static let otherKind = "other"
    private static let kinds: [RecordKind: String] = [
        .chat: "chat", .presence: "presence", .profile: "profile", .post: "post", .comment: "comment", .like: "like",
        .follow: "follow", .event: "event", .attendance: "attendance", .edit: "edit", .deletion: "deletion",
        .sealed: "sealed", .prekeys: "prekeys", .residence: "residence",
    ]

    private let links, incoming, outgoing, halfOpen, addresses, waitingBytes: Gauge
    private let backlog, keep, compare, supply: Gauge
    /// By the numbers of their types and kinds: every frame and record is counted, and to look up a name takes longer than that.
    private let received: [Counter?]
    private let sent: [Counter?]
    /// Those of each way; at 0, which no kind has, whatever is not in the table.
    private let records: [[Counter?]]
    private let refused: [RefusalReason: Counter]

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
        backlog = gauge("lattice_queue_depth", [("queue", "backlog")])
        keep = gauge("lattice_queue_depth", [("queue", "keep")])
        compare = gauge("lattice_queue_depth", [("queue", "compare")])
        supply = gauge("lattice_queue_depth", [("queue", "supply")])
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

    /// - Parameter before: what was turned down when this was told last, since a counter is told the difference.
    func measure(_ depths: Depths, refusedBefore before: RefusalCounts) {
        let stats = depths.stats
        links.record(stats.links)
        incoming.record(stats.incoming)
        outgoing.record(stats.outgoing)
        halfOpen.record(stats.halfOpen)
        addresses.record(stats.addresses)
        waitingBytes.record(stats.waitingBytes)
        backlog.record(stats.waitingRecords)
        keep.record(depths.keep)
        compare.record(depths.compare)
        supply.record(depths.supply)
        for (reason, count) in stats.refused.happened where count > before[reason] {
            refused[reason]?.increment(by: count - before[reason])
        }
    }
}
