import DequeModule
import LatticeCore

/// A number for one link that has records for us, so that a set of links is a bit mask.
struct SourceSlot: Hashable, Sendable {
    static let countMax = 64
    let number: UInt8
    var bit: UInt64 { 1 << UInt64(number) }
    var index: Int { Int(number) }
}

/// Names an entry of `Wanted` until the entry is reused.
struct FetchTicket: Hashable, Sendable {
    let index: Int32
    let generation: UInt32
}

/// Fetching from one link.
struct FetchSource: Sendable {
    struct Asked: Sendable {
        let ticket: FetchTicket
        let at: Instant
    }

    let link: LinkID
    var window = FetchWindow()
    /// Records that it has and that nobody was asked for, in the order of discovery.
    var queue: Deque<FetchTicket> = []
    /// Records requested from it, in that order; some may have arrived.
    var asked: Deque<Asked> = []
    /// Ids that it was the first to name and that are still wanted.
    var announcedCount = 0
    /// Answers since one of its overdue records was last given up.
    var answers = 0
    /// How often in a row more of its records were given up than arrived.
    var strikes = 0
}
