import DequeModule
import LatticeCore
import LatticeWire

/// Records that one neighbour has requested and that are still to be read and sent, urgent ones first.
struct ServingQueue {
    /// Four times what one of our nodes requests before it has received anything.
    static let idsMax = 4_096
    /// Size of the first portion, before the records' sizes are known.
    private static let portionFirst = 64
    private static let portionRange = 8...256
    /// Target size of a portion: half of what may wait on a link, so that the link never idles for long.
    private static let portionBytes = 128 << 10

    private var ids: Deque<RecordID> = []
    /// How many of these are urgent; they are the first.
    private var urgentCount = 0
    /// Ids that arrived together, and when.
    private var arrivals: Deque<(count: Int, since: Instant)> = []
    private var portion = portionFirst

    var isEmpty: Bool { ids.isEmpty }
    var count: Int { ids.count }
    /// Arrival of the oldest request.
    var oldest: Instant? { arrivals.first?.since }

    /// - Returns: those for which there is no space.
    mutating func add(_ asked: [RecordID], isUrgent: (RecordID) -> Bool, at now: Instant) -> [RecordID] {
        let room = max(0, Self.idsMax - ids.count)
        for id in asked.prefix(room) {
            if isUrgent(id) {
                ids.insert(id, at: urgentCount)
                urgentCount += 1
            } else {
                ids.append(id)
            }
        }
        if room > 0, !asked.isEmpty { arrivals.append((min(room, asked.count), now)) }
        return Array(asked.dropFirst(room))
    }

    /// The next portion, which is urgent or not as a whole.
    mutating func next() -> (ids: [RecordID], isUrgent: Bool) {
        let isUrgent = urgentCount > 0
        let taken = Array(ids.prefix(isUrgent ? min(urgentCount, portion) : portion))
        ids.removeFirst(taken.count)
        urgentCount = max(0, urgentCount - taken.count)
        var left = taken.count
        while left > 0, let first = arrivals.popFirst() {
            if first.count > left { arrivals.prepend((first.count - left, first.since)) }
            left -= min(left, first.count)
        }
        return (taken, isUrgent)
    }

    /// Sizes the next portion by the records just sent.
    mutating func sent(_ records: Int, bytes: Int) {
        guard records > 0 else { return }
        let fitting = Self.portionBytes / max(1, bytes / records)
        portion = min(max(fitting, Self.portionRange.lowerBound), Self.portionRange.upperBound)
    }
}
