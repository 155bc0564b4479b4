import DequeModule
import LatticeCore
import LatticeStore
import LatticeWire

/// Records that came and are not stored yet. When it is full the newest are lost, and counted.
struct KeepQueue {
    /// As much as a slow disk is behind; beyond it something is wrong with the disk.
    private static let bytesMax = 16 << 20
    /// Of these, what was fetched: it can be fetched again, and what is said now cannot.
    private static let fetchedBytesMax = 12 << 20
    /// Written at a time: a few milliseconds' work, after which others may write.
    private static let batchMax = 512
    /// What a record takes in memory besides its bytes, which it holds twice; a guess on the safe side.
    private static let overheadBytes = 512

    /// How a record came.
    enum Origin: Equatable {
        /// It was said just now.
        case flood
        /// It was asked for; its giver says that it has had it for so long.
        case supply(ageSeconds: UInt32)
    }

    struct Entry: Equatable {
        let record: VerifiedRecord
        let origin: Origin
        /// When it came.
        let since: Instant

        var incoming: IncomingRecord {
            switch origin {
            case .flood: IncomingRecord(record)
            case .supply(let age): IncomingRecord(record, ageSeconds: age)
            }
        }

        var isFetched: Bool { origin != .flood }
        fileprivate var bytes: Int { record.signed.bytes.count + overheadBytes }
    }

    private var entries: Deque<Entry> = []
    /// Those in `entries` and those that are being written.
    private var ids: Set<RecordID> = []
    private var bytes = 0
    private var lost = 0
    /// When the first of those came that are being written.
    private var writingSince: Instant?

    var isEmpty: Bool { entries.isEmpty }
    /// Those that wait or are being written.
    var count: Int { ids.count }
    /// Nothing waits, and nothing is being written.
    var isDone: Bool { ids.isEmpty }
    var wasFull: Bool { lost > 0 }
    /// When that came which waits for the longest.
    var oldest: Instant? { writingSince ?? entries.first?.since }

    /// Whether it waits or is being written.
    func contains(_ id: RecordID) -> Bool {
        ids.contains(id)
    }

    /// - Returns: whether there was room. What waits already is not kept twice.
    mutating func add(_ entry: Entry) -> Bool {
        guard !ids.contains(entry.record.id) else { return true }
        guard bytes + entry.bytes <= (entry.isFetched ? Self.fetchedBytesMax : Self.bytesMax) else {
            if !entry.isFetched { lost += 1 }
            return false
        }
        ids.insert(entry.record.id)
        entries.append(entry)
        bytes += entry.bytes
        return true
    }

    /// The next ones to be written, which are waited for until `done` or `putBack`.
    mutating func take() -> [Entry] {
        let batch = Array(entries.prefix(Self.batchMax))
        entries.removeFirst(batch.count)
        bytes -= batch.reduce(0) { $0 + $1.bytes }
        writingSince = writingSince ?? batch.first?.since
        return batch
    }

    mutating func done(_ batch: [Entry]) {
        for entry in batch { ids.remove(entry.record.id) }
        if ids.count == entries.count { writingSince = nil }
    }

    /// Those that were taken and could not be stored, before what came since. What was fetched is not put back: it is there still,
    /// where it came from.
    ///
    /// - Returns: the ids of what was fetched.
    mutating func putBack(_ batch: [Entry]) -> [RecordID] {
        done(batch)
        let heard = batch.filter { !$0.isFetched }
        for entry in heard { ids.insert(entry.record.id) }
        entries.prepend(contentsOf: heard)
        bytes += heard.reduce(0) { $0 + $1.bytes }
        return batch.filter(\.isFetched).map(\.record.id)
    }

    /// How many were lost since this was asked last.
    mutating func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }

    /// The lines of chat that were fetched, each behind all that its author had seen: they come in the order in which they end.
    static func late(in entries: [Entry]) -> [Entry] {
        entries.filter { $0.isFetched && $0.record.kind == .chat }.sorted {
            ($0.record.created, $0.record.id) < ($1.record.created, $1.record.id)
        }
    }
}
