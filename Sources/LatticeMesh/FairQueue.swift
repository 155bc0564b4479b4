import DequeModule
import LatticeCore
import LatticeWire
import OrderedCollections

/// Records that wait for one busy link: a queue for each author, served by turns (deficit round robin, Shreedhar and Varghese
/// 1995), so that nobody waits for what somebody else has much of.
struct FairQueue: Sendable {
    struct Entry: Sendable {
        let record: VerifiedRecord
        let timeToLive: UInt8
        let hops: UInt8
        let isStray: Bool
        /// When it came.
        var since: Instant

        var bytes: Int { record.signed.bytes.count }
    }

    private struct Line: Sendable {
        var entries: Deque<Entry> = []
        var bytes = 0
        /// Bytes it may still send in its turns.
        var credit = 0
    }

    /// By author; `nil` are those for whom there is no line any more.
    private var lines: OrderedDictionary<PeerPrefix?, Line> = [:]
    /// Whose turn it is.
    private var turn = 0
    /// What is still to be sent of what is in the lines.
    private var wanted: Set<RecordID> = []
    private(set) var count = 0
    private(set) var bytes = 0

    var isEmpty: Bool { lines.isEmpty }
    /// When that came which waits for the longest.
    var oldest: Instant? { lines.values.lazy.compactMap { $0.entries.first?.since }.min() }

    /// - Returns: how many records were dropped for it, perhaps itself among them: if it is full, the newest of whoever has most.
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

    /// The other end has it.
    mutating func needsNoMore(_ id: RecordID) {
        wanted.remove(id)
    }

    /// What is sent next, each author in turn, until it is `portionBytes` or more.
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

    /// - Returns: `nil` if its credit does not pay for the next.
    private mutating func takeFirst(of index: Int) -> Entry? {
        guard let first = lines.values[index].entries.first, first.bytes <= lines.values[index].credit else {
            return nil
        }
        lines.values[index].credit -= first.bytes
        lines.values[index].entries.removeFirst()
        took(first, from: index)
        return first
    }

    /// - Returns: whether anybody misses it.
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

    /// Whose line is empty loses its credit with it: only who waits saves up.
    @discardableResult
    private mutating func removeIfEmpty(_ index: Int) -> Bool {
        guard lines.values[index].entries.isEmpty else { return false }
        lines.remove(at: index)
        if index < turn { turn -= 1 }
        return true
    }
}
