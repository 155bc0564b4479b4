import LatticeCore
import LatticeMesh
import LatticeWire

/// Work between a mesh and its store in one life of a peer: records to write, records to serve, running
/// reconciliations. It ends with the process; the store does not.
struct StoreDesk {
    /// Limit on records waiting to be written; further ones fail and may come again later.
    static let waitingMax = 4_096
    /// Time to read a store at start before it can reconcile, in milliseconds.
    static let loadingTime: ClosedRange<Int64> = 5...400
    /// From the first waiting record to the end of the write, in milliseconds.
    static let writingTime: ClosedRange<Int64> = 2...40
    /// Duration of a reconciliation step, in milliseconds.
    static let comparingTime: ClosedRange<Int64> = 1...5
    /// Records served in a row before others get a turn, and the time that takes in milliseconds.
    static let portion = 32
    static let portionTime: Int64 = 5
    /// Minimum interval between announcements of a moved floor, in milliseconds.
    static let keepingInterval: Int64 = 1_000
    /// After a leap of the wall clock nothing expires for this long, in milliseconds: the leap may be corrected.
    static let leapTime: Int64 = 1_800_000
    /// In milliseconds; a smaller change counts as setting the clock.
    static let leapMin: Int64 = 600_000

    struct Waiting {
        let record: VerifiedRecord
        let age: UInt32
        /// `nil` if it was not requested.
        let giver: LinkID?
    }

    struct Served {
        let link: LinkID
        var ids: [RecordID]
    }

    var isReady = false
    var waiting: [Waiting] = []
    var waitingIDs: Set<RecordID> = []
    /// By link, in the order of the requests.
    var served: [Served] = []
    /// Records found missing and the neighbour that has each, until the store has decided on them.
    var needed: [RecordID: LinkID] = [:]
    private var settled: Set<RecordID> = []
    /// When its mesh last claimed to be caught up, in milliseconds.
    var caughtUpAt: Int64 = -1
    var keepingAnnounced: Keeping?
    var isKeepingDue = false
    /// Nothing expires before this time; in milliseconds since the start of the world.
    var expiresNothingUntil: Int64 = 0
    /// How far the clock was ahead of true time before its last leap, in milliseconds.
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
        served.removeAll { $0.link == link }
    }

    mutating func clockLeapt(from before: Int64, to skew: Int64, at now: Int64) {
        let isBack = expiresNothingUntil > now && abs(skew - skewBeforeLeap) < Self.leapMin
        if !isBack { skewBeforeLeap = before }
        expiresNothingUntil = isBack ? now : now + Self.leapTime
    }

    /// - Returns: whether this is the only request of that link.
    mutating func serve(_ ids: [RecordID], to link: LinkID) -> Bool {
        if let place = served.firstIndex(where: { $0.link == link }) {
            served[place].ids += ids
            return false
        }
        served.append(Served(link: link, ids: ids))
        return true
    }

    /// - Returns: the next records to serve, and whether they are the last; `nil` if none are left.
    mutating func portion(for link: LinkID) -> (ids: [RecordID], isLast: Bool)? {
        guard let place = served.firstIndex(where: { $0.link == link }) else { return nil }
        let portion = Array(served[place].ids.prefix(Self.portion))
        served[place].ids.removeFirst(portion.count)
        let isLast = served[place].ids.isEmpty
        if isLast { served.remove(at: place) }
        return (portion, isLast)
    }
}

enum StoreErrand {
    /// The disk has been read.
    case load
    case compare(ComparisonWork)
    case write
    case serve(LinkID)
    case announceKeeping
}
