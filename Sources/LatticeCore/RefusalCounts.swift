/// Why something that came from outside was turned down.
///
/// The raw values are what programs read; none is ever given another meaning.
package enum RefusalReason: String, CaseIterable, Hashable, Sendable {
    /// A connection for which there was no place.
    case connections
    /// A connection whose address had too many unfinished handshakes already.
    case halfOpen = "half_open"
    /// A connection whose address, or all of them together, had begun too many handshakes lately.
    case handshakeRate = "handshake_rate"
    /// A handshake that broke the protocol, came to its time limit, or was given up at the other end.
    case handshakes
    /// A link that broke the protocol, wrong signatures included.
    case faults
    /// A link whose peer did not invite, for whom there was no room.
    case uninvited
    /// A record whose author had said too much.
    case origin
    /// A record that came by a link that had brought too much.
    case link
    /// A presence of an unknown key beyond what a link, or all links together, may bring.
    case newcomers
    /// A record that waited for a busy link for which too much waited.
    case backlog
    /// A frame about what others have, lack or want pushed, beyond what a link may say.
    case tree
    /// A walk or a shuffle beyond what a link may send.
    case overlay
    /// A probe beyond what a link may send or have flooded.
    case probes
    /// An address that a neighbour told of, which had to wait because too many such had been dialled.
    case dials
    /// A question about what is kept, more than may wait or about what is not compared.
    case questions
    /// A list of what is kept, offered or asked for, beyond what a link may send.
    case lists
    /// A record that nobody here had asked for.
    case unasked
    /// A record whose form its kind does not allow, or that is of a kind that is not kept.
    case malformed
    /// A record whose time was over.
    case expired
    /// A record for which the store had no room.
    case store
    /// A link, a record, a probe or data of somebody who is blocked.
    case blocked
    /// Data to be passed on to whom no way is known, or that had come far enough, or for which too much waited.
    case data
}

/// How much was turned down since the start, by reason: one value that every room counts into.
package struct RefusalCounts: Hashable, Sendable {
    private var counts: [RefusalReason: Int] = [:]

    package init() {}

    package subscript(_ reason: RefusalReason) -> Int {
        counts[reason, default: 0]
    }

    /// - Parameter count: 0 or more; beyond the largest number it stays there.
    package mutating func add(_ reason: RefusalReason, _ count: Int = 1) {
        guard count > 0 else { return }
        let (sum, overflow) = self[reason].addingReportingOverflow(count)
        counts[reason] = overflow ? .max : sum
    }

    package mutating func add(_ others: RefusalCounts) {
        for (reason, count) in others.happened { add(reason, count) }
    }

    /// What happened at all, in the order of the reasons.
    package var happened: [(reason: RefusalReason, count: Int)] {
        RefusalReason.allCases.map { ($0, self[$0]) }.filter { $0.1 > 0 }
    }
}
