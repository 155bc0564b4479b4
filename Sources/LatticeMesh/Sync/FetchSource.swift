import DequeModule
import LatticeCore

/// A place for one link among those that have records for us, so that who has one is a bit.
struct SourceSlot: Hashable, Sendable {
    static let countMax = 64
    let number: UInt8
    var bit: UInt64 { 1 << UInt64(number) }
    var index: Int { Int(number) }
}

/// What names an entry of `Wanted`, until it has moved on.
struct FetchTicket: Hashable, Sendable {
    let index: Int32
    let generation: UInt32
}

/// One link as whoever fetches sees it.
struct FetchSource: Sendable {
    struct Asked: Sendable {
        let ticket: FetchTicket
        let at: Instant
    }

    let link: LinkID
    var window = FetchWindow()
    /// What it has and nobody was asked for, in the order in which it was told.
    var queue: Deque<FetchTicket> = []
    /// What it was asked for, in that order; some of it has come.
    var asked: Deque<Asked> = []
    /// Ids that it told of first and that are still wanted.
    var toldCount = 0
    /// Answers since something that it owed was last given up.
    var answers = 0
    /// How often in a row more was given up than came.
    var strikes = 0
}
