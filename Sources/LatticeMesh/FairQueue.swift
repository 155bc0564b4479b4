import DequeModule
import LatticeCore
import LatticeWire
import OrderedCollections

/// Records held back for one busy link: a queue for each author, served by deficit round robin (Shreedhar and Varghese
/// 1995), so that nobody waits for the many records of another author. Urgent ones go first.
struct FairQueue: Sendable {
    struct Entry: Sendable {
        let record: VerifiedRecord
        let timeToLive: UInt8
        let hops: UInt8
        let isStray: Bool
        var isUrgent = false
        var since: Instant

        var bytes: Int { record.signed.bytes.count }
    }

    private struct Line: Sendable {
        var entries: Deque<Entry> = []
        var bytes = 0
        /// Bytes that it may still send; unused credit carries over to its next turn.
        var credit = 0

        mutating func add(_ entry: Entry) {
            entries.append(entry)
            bytes += entry.bytes
        }

        mutating func removeFirst() -> Entry {
            let first = entries.removeFirst()
            bytes -= first.bytes
            return first
        }

        mutating func removeLast() -> Entry {
            let last = entries.removeLast()
            bytes -= last.bytes
            return last
        }
    }

    /// Queues by author; `nil` is shared by the authors for whom there was no queue left.
    private var lines: OrderedDictionary<PeerPrefix?, Line> = [:]
    /// Urgent records, which go before all lines.
    private var urgent = Line()
    /// Bytes of urgent records that passed since the last portion.
    private var passedBytes = 0
    /// Whose turn it is.
    private var turn = 0
    /// Records in the queues that the neighbour still lacks.
    private var wanted: Set<RecordID> = []
    private(set) var count = 0
    private(set) var bytes = 0

    var isEmpty: Bool { lines.isEmpty && urgent.entries.isEmpty }
    /// When the oldest record came.
    var oldest: Instant? {
        let usual = lines.values.lazy.compactMap { $0.entries.first?.since }.min()
        guard let first = urgent.entries.first?.since else { return usual }
        return min(first, usual ?? first)
    }

    /// Whether an urgent record goes out at once, although the link is busy.
    mutating func passes(_ entry: Entry) -> Bool {
        guard entry.isUrgent, passedBytes + entry.bytes <= MeshLimit.urgentPassedBytesMax else { return false }
        passedBytes += entry.bytes
        return true
    }

    /// - Returns: how many records were dropped. A full queue drops the newest record of the author who has most,
    ///   perhaps this one.
    mutating func push(_ entry: Entry) -> Int {
        guard wanted.insert(entry.record.id).inserted else { return 0 }
        if entry.isUrgent, urgent.bytes + entry.bytes <= MeshLimit.urgentWaitingBytesMax {
            urgent.add(entry)
        } else {
            let author = entry.record.author.prefix
            let hasLine = lines[author] != nil || lines.count < MeshLimit.backlogOriginsMax
            lines[hasLine ? author : nil, default: Line()].add(entry)
        }
        count += 1
        bytes += entry.bytes
        var dropped = 0
        while count > MeshLimit.backlogMax || bytes > MeshLimit.backlogBytesMax {
            if dropNewestOfLongest() { dropped += 1 }
        }
        return dropped
    }

    /// The neighbour has it.
    mutating func needsNoMore(_ id: RecordID) {
        wanted.remove(id)
    }

    /// The next records, urgent ones first, then each author in turn, until they reach `portionBytes`.
    mutating func takePortion(_ portionBytes: Int = MeshLimit.backlogPortionBytes) -> [Entry] {
        var portion: [Entry] = []
        var size = 0
        passedBytes = 0
        func take(_ entry: Entry) {
            guard wanted.remove(entry.record.id) != nil else { return }
            portion.append(entry)
            size += entry.bytes
        }
        while size < portionBytes, !urgent.entries.isEmpty { take(took(urgent.removeFirst())) }
        while size < portionBytes, !lines.isEmpty {
            if turn >= lines.count { turn = 0 }
            lines.values[turn].credit += MeshLimit.backlogTurnBytes
            while size < portionBytes, let entry = takeFirst(of: turn) { take(entry) }
            if !removeIfEmpty(turn) { turn += 1 }
        }
        return portion
    }

    /// - Returns: `nil` if the author's credit is too small for the next record.
    private mutating func takeFirst(of index: Int) -> Entry? {
        guard let first = lines.values[index].entries.first, first.bytes <= lines.values[index].credit else {
            return nil
        }
        lines.values[index].credit -= first.bytes
        return took(lines.values[index].removeFirst())
    }

    /// - Returns: whether the neighbour still lacks the dropped record.
    private mutating func dropNewestOfLongest() -> Bool {
        var longest = 0
        for index in lines.values.indices where lines.values[index].bytes > lines.values[longest].bytes {
            longest = index
        }
        let newest = took(lines.values[longest].removeLast())
        removeIfEmpty(longest)
        return wanted.remove(newest.record.id) != nil
    }

    private mutating func took(_ entry: Entry) -> Entry {
        bytes -= entry.bytes
        count -= 1
        return entry
    }

    /// An empty queue loses its credit: only waiting authors save up.
    @discardableResult
    private mutating func removeIfEmpty(_ index: Int) -> Bool {
        guard lines.values[index].entries.isEmpty else { return false }
        lines.remove(at: index)
        if index < turn { turn -= 1 }
        return true
    }
}
