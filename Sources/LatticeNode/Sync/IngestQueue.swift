import LatticeCore
import LatticeStore
import LatticeWire
import OrderedCollections

/// Others' records on their way into the store: new ones go as one batch, and several batches are under way at a time.
struct IngestQueue {
    /// While one batch is written the next ones wait in the writer's lane, where they share a commit.
    private static let underWayMax = 4
    /// How long a new record waits for others, and for drafts, to share their commit.
    private static let gatherDelay: Duration = .milliseconds(10)
    /// With this many a commit is worth its price.
    private static let gatheredMax = 32
    private static let retryDelayMin: Duration = .seconds(1)
    private static let retryDelayMax: Duration = .seconds(30)

    private(set) var records = KeepQueue()
    private var underWay: OrderedDictionary<UInt64, [KeepQueue.Entry]> = [:]
    private var lastTicket: UInt64 = 0
    private var gathered = 0
    /// When the gathered records go to the writer; `nil` is at once.
    private var dueAt: Instant?
    /// When to try the store again; `nil` while it works.
    private var retryAt: Instant?
    private var retryDelay = retryDelayMin

    /// A batch can be given to the writer.
    private var hasWork: Bool {
        !records.isEmpty && retryAt == nil && (records.hasUrgent || underWay.count < Self.underWayMax)
    }
    /// When a batch is due that is not due yet.
    var deadline: Instant? { hasWork ? dueAt : nil }

    /// Whether a batch must be given to the writer.
    func isDue(at now: Instant) -> Bool {
        guard hasWork else { return false }
        guard let dueAt else { return true }
        return dueAt <= now
    }

    /// - Returns: whether there was space. A queued record is not added twice.
    mutating func add(_ entry: KeepQueue.Entry) -> Bool {
        if records.isEmpty { dueAt = entry.since.advanced(by: Self.gatherDelay) }
        gathered += 1
        // A server waits for the outcome of what it sent.
        if entry.isFetched || entry.isUrgent || gathered >= Self.gatheredMax { dueAt = nil }
        return records.add(entry)
    }

    /// The next batch for the writer.
    mutating func next() -> (ticket: UInt64, batch: [KeepQueue.Entry])? {
        guard hasWork else { return nil }
        lastTicket += 1
        (gathered, dueAt) = (0, nil)
        let batch = records.take()
        underWay[lastTicket] = batch
        return (lastTicket, batch)
    }

    /// The writer has no space: the batch waits, and is tried again after a commit.
    mutating func refused(_ ticket: UInt64) -> [RecordID] {
        records.putBack(underWay.removeValue(forKey: ticket) ?? [])
    }

    mutating func stored(_ ticket: UInt64) -> [KeepQueue.Entry] {
        guard let batch = underWay.removeValue(forKey: ticket) else { return [] }
        records.done(batch)
        retryDelay = Self.retryDelayMin
        return batch
    }

    /// - Returns: the batch, and the ids of fetched records, which can be fetched again. The rest stays queued.
    mutating func failed(_ ticket: UInt64, at now: Instant) -> (batch: [KeepQueue.Entry], fetched: [RecordID]) {
        guard let batch = underWay.removeValue(forKey: ticket) else { return ([], []) }
        if retryAt == nil {
            retryAt = now.advanced(by: retryDelay)
            retryDelay = min(retryDelay * 2, Self.retryDelayMax)
        }
        return (batch, records.putBack(batch))
    }

    /// Called once a second.
    mutating func look(at now: Instant) {
        if let time = retryAt, time <= now { retryAt = nil }
    }

    /// Everything the writer was not given, before the node stops.
    mutating func takeRest() -> [KeepQueue.Entry] {
        var rest: [KeepQueue.Entry] = []
        while !records.isEmpty { rest += records.take() }
        return rest
    }

    /// Records lost since the last call; `nil` if none.
    mutating func takeLost() -> Int? {
        records.wasFull ? records.takeLost() : nil
    }
}
