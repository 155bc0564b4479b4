import DequeModule
import LatticeCore
import LatticeWire
import OrderedCollections

/// Records held back for one busy link: a queue for each author, served by deficit round robin (Shreedhar and Varghese
/// 1995), so that nobody waits for the many records of another author.
struct FairQueue: Sendable {
    struct Entry: Sendable {
        let record: VerifiedRecord
        let timeToLive: UInt8
        let hops: UInt8
        let isStray: Bool
        var since: Instant

        var bytes: Int { record.signed.bytes.count }
    }

    private struct Line: Sendable {
        var entries: Deque<Entry> = []
        var bytes = 0
        /// Bytes that it may still send; unused credit carries over to its next turn.
        var credit = 0
    }

    /// Queues by author; `nil` is shared by the authors for whom there was no queue left.
    private var lines: OrderedDictionary<PeerPrefix?, Line> = [:]
    /// Whose turn it is.
    private var turn = 0
    /// Records in the queues that the neighbour still lacks.
    private var wanted: Set<RecordID> = []
    private(set) var count = 0
    private(set) var bytes = 0

    var isEmpty: Bool { lines.isEmpty }
    /// When the oldest record came.
    var oldest: Instant? { lines.values.lazy.compactMap { $0.entries.first?.since }.min() }

    /// - Returns: how many records were dropped. A full queue drops the newest record of the author who has most,
    ///   perhaps this one.
    mutating func push(_ entry: Entry) -> Int {
        guard wanted.insert(entry.record.id).inserted else { return 0 }
        let author = entry.record.author.prefix
        let hasLine = lines[author] != nil || lines.count < MeshLimit.backlogOriginsMax
        let key = hasLine ? author : nil
        lines[key, default: Line()].entries.append(entry)
        lines[key, default: Line()].bytes += entry.bytes
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

    /// The next records, each author in turn, until they reach `portionBytes`.
    mutating func takePortion(_ portionBytes: Int = MeshLimit.backlogPortionBytes) -> [Entry] {
        var portion: [Entry] = []
        var size = 0
        while size < portionBytes, !lines.isEmpty {
            if turn >= lines.count { turn = 0 }
            lines.values[turn].credit += MeshLimit.backlogTurnBytes
            while size < portionBytes, let entry = takeFirst(of: turn) {
                guard wanted.remove(entry.record.id) != nil else { continue }
                portion.append(entry)
                size += entry.bytes
            }
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
        lines.values[index].entries.removeFirst()
        took(first, from: index)
        return first
    }

    /// - Returns: whether the neighbour still lacks the dropped record.
    private mutating func dropNewestOfLongest() -> Bool {
        var longest = 0
        for index in lines.values.indices where lines.values[index].bytes > lines.values[longest].bytes {
            longest = index
        }
        let newest = lines.values[longest].entries.removeLast()
        took(newest, from: longest)
        removeIfEmpty(longest)
        return wanted.remove(newest.record.id) != nil
    }

    private mutating func took(_ entry: Entry, from index: Int) {
        lines.values[index].bytes -= entry.bytes
        bytes -= entry.bytes
        count -= 1
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
