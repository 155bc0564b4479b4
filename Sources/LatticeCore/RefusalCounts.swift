/// Why something from outside was refused.
///
/// Programs read the raw values; their meanings never change.
package enum RefusalReason: String, CaseIterable, Hashable, Sendable {
    /// A connection without a free slot.
    case connections
    /// A connection whose address had too many unfinished handshakes already.
    case halfOpen = "half_open"
    /// A connection whose address, or all of them together, had begun too many handshakes lately.
    case handshakeRate = "handshake_rate"
    /// A handshake that broke the protocol, timed out, or was aborted by the other side.
    case handshakes
    /// A link that broke the protocol, wrong signatures included.
    case faults
    /// A link without an invitation, for which no slot was left.
    case uninvited
    /// A record whose author was over its rate.
    case origin
    /// A record whose link was over its rate.
    case link
    /// A presence of an unknown key over the limit of a link, or of all links together.
    case newcomers
    /// A record held back for a busy link whose queue was full.
    case backlog
    /// An announcement or a request over a link's limit.
    case tree
    /// A walk or a shuffle over a link's limit.
    case overlay
    /// A probe, or a flood of one, over a link's limit.
    case probes
    /// A dial that was delayed because too many addresses from neighbours were dialled.
    case dials
    /// A reconciliation question that is one too many, or about a scope that is not reconciled.
    case questions
    /// A list of kept, offered or requested records over a link's limit.
    case lists
    case unasked
    /// A record that is invalid for its kind, or of a kind that is not stored.
    case malformed
    case expired
    case store
    /// A link, a record, a probe or data of a blocked peer.
    case blocked
    /// Data to relay without a route, over its hop limit, or for a link whose queue was full.
    case data
}

/// How much was refused since the start, by reason: one type for the counts of all modules.
package struct RefusalCounts: Hashable, Sendable {
    private var counts: [RefusalReason: Int] = [:]

    package init() {}

    package subscript(_ reason: RefusalReason) -> Int {
        counts[reason, default: 0]
    }

    /// - Parameter count: 0 or more; the sum saturates.
    package mutating func add(_ reason: RefusalReason, _ count: Int = 1) {
        guard count > 0 else { return }
        let (sum, overflow) = self[reason].addingReportingOverflow(count)
        counts[reason] = overflow ? .max : sum
    }

    package mutating func add(_ others: RefusalCounts) {
        for (reason, count) in others.happened { add(reason, count) }
    }

    /// The reasons with a count above 0, in order.
    package var happened: [(reason: RefusalReason, count: Int)] {
        RefusalReason.allCases.map { ($0, self[$0]) }.filter { $0.1 > 0 }
    }
}
