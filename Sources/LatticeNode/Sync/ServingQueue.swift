import DequeModule
import LatticeCore
import LatticeWire

/// Records that one neighbour has asked for and that are still to be read and sent.
struct ServingQueue {
    /// Four times what a neighbour of ours asks for before it has got any of it.
    static let idsMax = 4_096
    /// Read at a time, at first: what they weigh is not known before.
    private static let portionFirst = 64
    private static let portionRange = 8...256
    /// What a portion is to weigh: half of what may wait on a link, so that it never waits for long with nothing to do.
    private static let portionBytes = 128 << 10

    private var ids: Deque<RecordID> = []
    /// How many of them came at once, and when.
    private var arrivals: Deque<(count: Int, since: Instant)> = []
    private var portion = portionFirst

    var isEmpty: Bool { ids.isEmpty }
    var count: Int { ids.count }
    /// When that was asked for which waits for the longest.
    var oldest: Instant? { arrivals.first?.since }

    /// - Returns: those for which there is no room.
    mutating func add(_ asked: [RecordID], at now: Instant) -> [RecordID] {
        let room = max(0, Self.idsMax - ids.count)
        ids.append(contentsOf: asked.prefix(room))
        if room > 0, !asked.isEmpty { arrivals.append((min(room, asked.count), now)) }
        return Array(asked.dropFirst(room))
    }

    mutating func next() -> [RecordID] {
        let taken = Array(ids.prefix(portion))
        ids.removeFirst(taken.count)
        var left = taken.count
        while left > 0, let first = arrivals.popFirst() {
            if first.count > left { arrivals.prepend((first.count - left, first.since)) }
            left -= min(left, first.count)
        }
        return taken
    }

    /// So many records weighed so much: the next portion follows from it.
    mutating func sent(_ records: Int, bytes: Int) {
        guard records > 0 else { return }
        let fitting = Self.portionBytes / max(1, bytes / records)
        portion = min(max(fitting, Self.portionRange.lowerBound), Self.portionRange.upperBound)
    }
}
