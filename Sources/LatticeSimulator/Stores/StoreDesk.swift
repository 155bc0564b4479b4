import LatticeCore
import LatticeMesh
import LatticeWire

/// What stands between a mesh and its store for one life of a peer: records that wait to be written, supplies that wait to be
/// sent, comparisons under way. It ends with the process; the store does not.
struct StoreDesk {
    /// Records that wait to be written; what comes when it is full fails and may come again later.
    static let waitingMax = 4_096
    /// A store is read at start before anything can be compared with it, in milliseconds.
    static let loadingTime: ClosedRange<Int64> = 5...400
    /// From the first record that waits to the end of the writing, in milliseconds.
    static let writingTime: ClosedRange<Int64> = 2...40
    /// A step of a comparison, in milliseconds.
    static let comparingTime: ClosedRange<Int64> = 1...5
    /// Records sent in a row before others get a turn, and how long that takes in milliseconds.
    static let portion = 32
    static let portionTime: Int64 = 5
    /// Neighbours are told of a floor that moved at most so often, in milliseconds.
    static let keepingInterval: Int64 = 1_000
    /// Where the wall clock leaps nothing expires for so long, in milliseconds: it may be put right again.
    static let leapTime: Int64 = 1_800_000

    struct Waiting {
        let record: VerifiedRecord
        let age: UInt32
        /// Nothing for what was not asked for.
        let giver: LinkID?
    }

    struct Supplies {
        let link: LinkID
        var ids: [RecordID]
    }

    var isReady = false
    var waiting: [Waiting] = []
    var waitingIDs: Set<RecordID> = []
    /// By link, in the order in which they asked.
    var supplies: [Supplies] = []
    /// What a comparison told the mesh that it lacks and which neighbour has it, until the store has decided about it.
    var needed: [RecordID: LinkID] = [:]
    /// What the store has decided about.
    private var settled: Set<RecordID> = []
    /// When its mesh last said that it was caught up, in milliseconds.
    var caughtUpAt: Int64 = -1
    var keepingTold: Keeping?
    var isKeepingDue = false
    /// Nothing expires before; in milliseconds since the start of the world.
    var expiresNothingUntil: Int64 = 0
    /// How far the clock was ahead of true time before it leapt last, in milliseconds.
    var skewBeforeLeap: Int64 = 0

    mutating func learned(_ outcome: ComparisonOutcome) {
        guard case .step(_, _, let need) = outcome.result else { return }
        for id in need where !settled.contains(id) { needed[id] = outcome.work.link }
    }

    mutating func settle(_ id: RecordID) {
        settled.insert(id)
        needed[id] = nil
    }

    mutating func closed(_ link: LinkID) {
        supplies.removeAll { $0.link == link }
    }
}

/// What a peer's store is to do.
enum StoreErrand {
    /// What was on the disk has been read.
    case load
    case compare(ComparisonWork)
    case write
    case supply(LinkID)
    case tellKeeping
}
