import LatticeCore
import LatticeStore
import LatticeWire

/// What our personas write: dated after everything heard, stored, and given to the mesh in the order it was written.
///
/// A commit brings the records that it signed. The store is read only for what an earlier run or another process left, and
/// for what the mesh had no space for.
struct Publisher {
    typealias Waiter = CheckedContinuation<Result<[Published], StoreError>, Never>

    /// How far the outbox table of a persona was given to the mesh.
    private struct Progress {
        /// Store number up to which everything was given.
        var readUpTo: Int64?
        /// The table may have records that the mesh was not given. At first, what an earlier run left.
        var isBehind = true
        var isReading = false
        /// Something was written since the reading began.
        var isOutdated = false
    }

    private var dates: HybridClock
    private var waiters: [UInt64: Waiter] = [:]
    private var lastTicket: UInt64 = 0
    private var progress: [PeerID: Progress] = [:]
    var outbox = Outbox()

    /// - Parameter newest: the newest date in the store.
    init(after newest: HybridTime) {
        dates = HybridClock(after: newest)
    }

    // MARK: Dates

    /// A record with this date was received or fetched.
    mutating func heard(_ date: HybridTime, at now: WallTime) {
        dates.heard(date, at: now)
    }

    mutating func nextDate(at now: WallTime) -> HybridTime {
        dates.next(at: now)
    }

    // MARK: Drafts

    /// - Returns: the drafts, dated after everything heard, and the ticket of their commit.
    mutating func take(_ drafts: [Draft], at now: WallTime) -> (drafts: [Draft], ticket: UInt64) {
        lastTicket += 1
        let dated = drafts.map { draft in
            var dated = draft
            dated.notBefore = dates.next(at: now)
            return dated
        }
        return (dated, lastTicket)
    }

    mutating func wait(for ticket: UInt64, _ waiter: Waiter) {
        waiters[ticket] = waiter
    }

    mutating func committed(_ ticket: UInt64, _ result: Result<[Published], StoreError>) {
        if case .success(let published) = result {
            for one in published { dates.made(one.record.created) }
        }
        waiters.removeValue(forKey: ticket)?.resume(returning: result)
    }

    // MARK: The mesh

    /// A record that entered the outbox table.
    ///
    /// - Returns: whether it goes to the mesh now; otherwise it is read from the store later, after older ones.
    mutating func goesOut(_ record: VerifiedRecord) -> Bool {
        let now = progress[record.author, default: Progress()]
        if now.isBehind { progress[record.author, default: Progress()].isOutdated = true }
        return !now.isBehind
    }

    func isBehind(_ id: PeerID) -> Bool { progress[id, default: Progress()].isBehind }

    /// The table has something for the mesh.
    mutating func fellBehind(_ id: PeerID) {
        progress[id, default: Progress()].isBehind = true
        progress[id]?.isOutdated = true
    }

    /// - Returns: the store number to read after; `nil` if nothing has to be read, or somebody reads already.
    mutating func beginReading(_ id: PeerID) -> Int64? {
        var now = progress[id, default: Progress()]
        guard now.isBehind, !now.isReading else { return nil }
        (now.isReading, now.isOutdated) = (true, false)
        progress[id] = now
        return now.readUpTo ?? 0
    }

    mutating func gave(_ number: Int64, of id: PeerID) {
        progress[id]?.readUpTo = number
    }

    /// - Parameter isAll: the mesh has everything that the table had when the reading began.
    mutating func endReading(_ id: PeerID, isAll: Bool) {
        guard let now = progress[id] else { return }
        progress[id]?.isReading = false
        progress[id]?.isBehind = !isAll || now.isOutdated
    }

    /// A visit ended. With the next one the store is read again.
    mutating func forget(_ id: PeerID) {
        progress[id] = nil
    }
}
