import LatticeAPI
import LatticeCore
import LatticeMetrics

/// What is open and waiting, what was counted, and what was turned down and why.
enum StatsLines {
    /// - Parameter before: an earlier look, and how many seconds ago it was taken.
    static func lines(
        _ stats: NodeStats, since before: (families: [MetricFamily], seconds: Double)? = nil
    ) -> [String] {
        let counts = CountLines(families: stats.families, before: before)
        return [
            "open: \(counted(stats.links, "link")); \(counted(stats.incoming, "connection")) in "
                + "(\(stats.halfOpen) of them half open, from \(counted(stats.addresses, "address", "addresses")) lately), "
                + "\(stats.outgoing) out",
            "waiting: \(counted(stats.waitingBytes, "byte")) on links, \(counted(stats.waitingRecords, "record")) for busy ones",
        ] + counts.summary + refused(stats.refused) + counts.tables
    }

    private static func refused(_ counts: RefusalCounts) -> [String] {
        let happened = counts.happened
        guard !happened.isEmpty else { return ["turned down: nothing"] }
        return ["turned down:"] + happened.map { "  \($0.count) \(words(for: $0.reason))" }
    }

    private static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? "\(one)s")"
    }

    private static func words(for reason: RefusalReason) -> String {
        switch reason {
        case .connections: "connections, for which there was no place"
        case .halfOpen: "connections, of addresses with too many unfinished handshakes"
        case .handshakeRate: "connections, since too many handshakes had begun lately"
        case .handshakes: "handshakes, broken off, wrong or too slow"
        case .faults: "links, which broke the protocol"
        case .uninvited: "links, which did not say what they wanted while others came"
        case .origin: "records, of authors who had said too much"
        case .link: "records, by links that had brought too much"
        case .backlog: "records, for links that were busy too long"
        case .tree: "lists of what others have or lack, too many on a link"
        case .overlay: "introductions of others' peers, too many on a link"
        case .probes: "probes, too many on a link"
        case .dials: "dials of addresses that neighbours told of, put off"
        case .questions: "questions about what is kept, too many or about what is not"
        case .lists: "lists of what is kept or wanted, too many on a link"
        case .unasked: "records, which nobody had asked for"
        case .malformed: "records, whose form was wrong"
        case .store: "records, for which the store had no room"
        case .blocked: "links, records, probes and data of people you blocked"
        case .data: "frames of data, that could not be passed on just then"
        }
    }
}

extension NodeStats {
    var members: [(String, JSONLine.Value)] {
        let counts = refused.happened.map { ($0.reason.rawValue, JSONLine.Value.integer($0.count)) }
        let metrics: [(String, JSONLine.Value)] =
            families.isEmpty ? [] : [("metrics", .object(JSONLine(families.map { ($0.name, $0.json) })))]
        return [
            ("event", .text("node_stats")), ("links", .integer(links)), ("incoming", .integer(incoming)),
            ("outgoing", .integer(outgoing)), ("half_open", .integer(halfOpen)), ("addresses", .integer(addresses)),
            ("waiting_bytes", .integer(waitingBytes)), ("waiting_records", .integer(waitingRecords)),
            ("refused", .object(JSONLine(counts))),
        ] + metrics
    }
}
