import LatticeCore
import LatticeMesh
import LatticeWire

/// What neighbours and people hear about reconciling.
struct ReconcileStatus {
    /// Five times a second is as fast as a person can read a number.
    private static let progressInterval: Duration = .milliseconds(200)

    /// Records fetched and stored since the node began.
    private(set) var fetchedCount = 0
    private var isProgressNew = false
    private var progressReportedAt: Instant?
    private var ledger = ReconcileLedger()

    /// Our retention, as neighbours know it; `nil` before the first announcement.
    private var keeping: Keeping?
    private var keepingAnnouncedAt: Instant?
    private var isKeepingOutdated = true
    /// Something was refused for lack of space since then.
    private var isStoreFull = false

    // MARK: People

    mutating func fetched(_ count: Int) {
        fetchedCount += count
    }

    mutating func progressed() {
        isProgressNew = true
    }

    /// When to report progress; `nil` if it did not change.
    var progressDeadline: Instant? {
        isProgressNew ? progressReportedAt.map { $0.advanced(by: Self.progressInterval) } ?? .zero : nil
    }

    /// - Returns: whether to report progress now.
    mutating func takesProgress(at now: Instant) -> Bool {
        guard let deadline = progressDeadline, deadline <= now else { return false }
        isProgressNew = false
        progressReportedAt = now
        return true
    }

    // MARK: The store

    mutating func caughtUp(at time: WallTime) {
        ledger.caughtUp(at: time)
    }

    /// Counts the records exchanged on current links.
    mutating func count(_ neighbours: [SyncNeighbour], at time: WallTime, _ now: Instant) {
        for neighbour in neighbours {
            guard let at = neighbour.comparedAt else { continue }
            let date = WallTime(milliseconds: time.milliseconds - at.duration(to: now).wholeMilliseconds)
            ledger.count(neighbour.peer, comparedAt: date, gained: neighbour.gained, given: neighbour.given)
        }
    }

    mutating func closed(_ peer: PeerID) {
        ledger.closed(peer)
    }

    /// Everything new since the last call, for the store.
    mutating func takeNotes() -> (peers: [ReconcileLedger.Note], caughtUpAt: WallTime?) {
        ledger.take()
    }

    // MARK: Neighbours

    /// A record was declined or evicted for lack of space.
    mutating func storeFilled() {
        isStoreFull = true
    }

    /// The store changed, or time has passed: our retention may be another.
    mutating func keepingMayDiffer() {
        isKeepingOutdated = true
    }

    /// Whether to read our retention. The first announcement comes with the first comparison.
    mutating func takesKeeping() -> Bool {
        guard isKeepingOutdated, keeping != nil else { return false }
        isKeepingOutdated = false
        return true
    }

    /// - Returns: whether neighbours have to hear of this retention; then it counts as announced.
    mutating func announces(_ new: Keeping, at now: Instant) -> Bool {
        let elapsed = keepingAnnouncedAt.map { $0.duration(to: now) } ?? .zero
        guard new.isNews(after: keeping, notifiedBefore: elapsed, isFull: isStoreFull) else { return false }
        keeping = new
        keepingAnnouncedAt = now
        isStoreFull = false
        return true
    }
}

extension Keeping {
    /// A floor that moves with time is announced after this much: comparing what lies between is only wasted work.
    private static let movedMin: Int64 = 3_600_000
    /// A full store evicts something with every record it takes.
    private static let fullInterval: Duration = .seconds(10)

    /// Whether to announce it to neighbours.
    ///
    /// - Parameters:
    ///   - elapsed: time since the last announcement.
    ///   - isFull: whether something was refused since then for lack of space.
    func isNews(after told: Keeping?, notifiedBefore elapsed: Duration, isFull: Bool) -> Bool {
        guard let told else { return true }
        guard rooms == told.rooms, entries.map(\.group) == told.entries.map(\.group) else { return true }
        return zip(entries, told.entries).contains { now, before in
            // A lower floor is rare, and records above it are wanted.
            if now.since < before.since { return true }
            let moved = now.since.wallTime.milliseconds - before.since.wallTime.milliseconds
            return moved >= Self.movedMin || (isFull && moved > 0 && elapsed >= Self.fullInterval)
        }
    }
}
