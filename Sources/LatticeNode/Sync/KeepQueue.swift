import DequeModule
import LatticeCore
import LatticeStore
import LatticeWire

/// Received records that are not stored yet, urgent ones first. When it is full the newest are dropped, and counted.
struct KeepQueue {
    /// A slow disk's backlog; with more, something is wrong with the disk.
    private static let bytesMax = 16 << 20
    /// The share of fetched records: they can be fetched again, new ones cannot.
    private static let fetchedBytesMax = 12 << 20
    /// Urgent records fit when nothing else does.
    private static let urgentBytesMax = 1 << 20
    /// Records written at a time: a few milliseconds' work, after which others may write.
    private static let batchMax = 512
    /// Memory for a record beyond its bytes, which it holds twice; a guess on the safe side.
    private static let overheadBytes = 512

    /// How a record arrived.
    enum Origin: Equatable {
        /// It was just written.
        case flood
        /// It was fetched, or a program brought it late; the server has had it for this long.
        case serve(ageSeconds: UInt32)
    }

    struct Entry: Equatable {
        let record: VerifiedRecord
        let origin: Origin
        let isUrgent: Bool
        /// Time of arrival.
        let since: Instant
        let via: RecordCarrier

        init(
            record: VerifiedRecord, origin: Origin, isUrgent: Bool = false, since: Instant, via: RecordCarrier = .mesh
        ) {
            (self.record, self.origin, self.isUrgent, self.since) = (record, origin, isUrgent, since)
            self.via = via
        }

        var incoming: IncomingRecord {
            switch origin {
            case .flood: IncomingRecord(record, isUrgent: isUrgent, via: via)
            case .serve(let age):
                IncomingRecord(record, ageSeconds: age, isUrgent: isUrgent, isFetched: true, via: via)
            }
        }

        /// A program brought it from another network.
        var isSupplied: Bool { via != .mesh }

        var isFetched: Bool { origin != .flood }
        fileprivate var bytes: Int { record.signed.bytes.count + overheadBytes }
    }

    private var entries: Deque<Entry> = []
    /// How many of these are urgent; they are the first.
    private var urgentCount = 0
    /// Ids in `entries`, and of records being written.
    private var ids: Set<RecordID> = []
    private var bytes = 0
    private var lost = 0
    /// Arrival of the first record being written.
    private var writingSince: Instant?

    var isEmpty: Bool { entries.isEmpty }
    var hasUrgent: Bool { urgentCount > 0 }
    /// Queued records and records being written.
    var count: Int { ids.count }
    /// Nothing is queued or being written.
    var isDone: Bool { ids.isEmpty }
    var wasFull: Bool { lost > 0 }
    /// Arrival of the oldest record.
    var oldest: Instant? {
        if let writingSince { return writingSince }
        guard let first = entries.first?.since else { return nil }
        return urgentCount < entries.count ? min(first, entries[urgentCount].since) : first
    }

    /// Whether it is queued or being written.
    func contains(_ id: RecordID) -> Bool {
        ids.contains(id)
    }

    /// - Returns: whether there was space. A queued record is not added twice.
    mutating func add(_ entry: Entry) -> Bool {
        guard !ids.contains(entry.record.id) else { return true }
        let limit =
            (entry.isFetched ? Self.fetchedBytesMax : Self.bytesMax) + (entry.isUrgent ? Self.urgentBytesMax : 0)
        guard bytes + entry.bytes <= limit else {
            // A program that brought it gets an answer, and brings it again.
            if !entry.isFetched, !entry.isSupplied { lost += 1 }
            return false
        }
        ids.insert(entry.record.id)
        entries.insert(entry, at: entry.isUrgent ? urgentCount : entries.count)
        if entry.isUrgent { urgentCount += 1 }
        bytes += entry.bytes
        return true
    }

    /// The next batch to write, which stays counted until `done` or `putBack`. Urgent records are a batch of their own.
    mutating func take() -> [Entry] {
        let batch = Array(entries.prefix(hasUrgent ? min(urgentCount, Self.batchMax) : Self.batchMax))
        entries.removeFirst(batch.count)
        urgentCount = max(0, urgentCount - batch.count)
        bytes -= batch.reduce(0) { $0 + $1.bytes }
        writingSince = writingSince ?? batch.first?.since
        return batch
    }

    mutating func done(_ batch: [Entry]) {
        for entry in batch { ids.remove(entry.record.id) }
        if ids.count == entries.count { writingSince = nil }
    }

    /// Puts back a batch that could not be stored, before newer records. Fetched records are not put back, as they can be
    /// fetched again.
    ///
    /// - Returns: the ids of fetched records.
    mutating func putBack(_ batch: [Entry]) -> [RecordID] {
        done(batch)
        let heard = batch.filter { !$0.isFetched }
        for entry in heard { ids.insert(entry.record.id) }
        let isUrgent = heard.first?.isUrgent ?? false
        entries.insert(contentsOf: heard, at: isUrgent ? 0 : urgentCount)
        if isUrgent { urgentCount += heard.count }
        bytes += heard.reduce(0) { $0 + $1.bytes }
        return batch.filter(\.isFetched).map(\.record.id)
    }

    /// Records dropped since the last call.
    mutating func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }

    /// Fetched chat lines by date, each after everything its author had seen. They do not arrive in that order.
    static func late(in entries: [Entry]) -> [Entry] {
        entries.filter { $0.isFetched && $0.record.kind == .chat }.sorted {
            ($0.record.created, $0.record.id) < ($1.record.created, $1.record.id)
        }
    }
}
