import LatticeAPI
import LatticeCore
import LatticeMetrics

enum StatsLines {
    /// - Parameters:
    ///   - before: an earlier sample, and its age in seconds.
    ///   - columns: width of the screen; longer lines wrap.
    static func lines(
        _ stats: NodeStats, since before: (families: [MetricFamily], seconds: Double)? = nil, columns: Int = .max
    ) -> [String] {
        let counts = CountLines(families: stats.families, before: before, columns: columns)
        let lines =
            [
                "links: \(stats.links); connections: \(stats.incoming) in (\(stats.halfOpen) half open, "
                    + "\(counted(stats.addresses, "recent address", "recent addresses"))), \(stats.outgoing) out",
                "queued: \(counted(stats.waitingBytes, "byte")) to send, "
                    + "\(counted(stats.waitingRecords, "record")) held back for busy links",
            ] + counts.summary
        return (lines + refused(stats.refused)).flatMap { wrapped($0, columns) } + counts.tables
    }

    private static func wrapped(_ line: String, _ columns: Int) -> [String] {
        guard DisplayWidth.columns(of: line) >= columns else { return [line] }
        let margin = String(line.prefix { $0 == " " })
        let lines = TextWrap.lines(line, columns: columns - 3 - margin.count)
        return lines.enumerated().map { margin + ($0 == 0 ? "" : "  ") + $1 }
    }

    private static func refused(_ counts: RefusalCounts) -> [String] {
        let happened = counts.happened
        guard !happened.isEmpty else { return ["refused: nothing"] }
        return ["refused:"] + happened.map { "  \($0.count) \(words(for: $0.reason))" }
    }

    private static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? "\(one)s")"
    }

    private static func words(for reason: RefusalReason) -> String {
        switch reason {
        case .connections: "connections: no free slot"
        case .halfOpen: "connections: too many unfinished handshakes from one address"
        case .handshakeRate: "connections: too many handshakes lately"
        case .handshakes: "handshakes: broken off, wrong or too slow"
        case .faults: "links: protocol violated"
        case .uninvited: "links: silent while others were waiting"
        case .origin: "records: their author sent too much"
        case .link: "records: the link brought too much"
        case .newcomers: "presences of unknown people: too many at once"
        case .backlog: "records: the link was busy too long"
        case .tree: "announcements and requests: too many on a link"
        case .overlay: "introductions of peers: too many on a link"
        case .probes: "probes: too many on a link"
        case .dials: "dials to addresses from neighbours: postponed"
        case .questions: "sync questions: too many, or about records that are not kept"
        case .lists: "sync lists: too many on a link"
        case .unasked: "records: not requested"
        case .malformed: "records: malformed"
        case .expired: "records: expired"
        case .store: "records: the store is full"
        case .blocked: "links, records, probes and data: from people you block"
        case .data: "frames of data: could not be forwarded"
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
