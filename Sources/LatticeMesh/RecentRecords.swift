import DequeModule
import LatticeCore
import LatticeWire

/// The records of the last half minute, for neighbours that ask for one, and how far each had come when it came.
struct RecentRecords: Sendable {
    struct Entry: Sendable {
        let record: VerifiedRecord
        /// With what a copy goes on; 0 if it ends here.
        let timeToLive: UInt8
        /// Links it had travelled when it came; 0 for our own.
        var hops: UInt8
        /// It left the tree on its way here.
        let isStray: Bool
        let at: Instant
        /// The link by which it is to come the next time; `nil` for our own.
        var giver: LinkID?
    }

    private static let age = MeshLimit.recentAge.nanoseconds
    private var entries: Deque<Entry> = []
    private var numbers: [RecordID: Int] = [:]
    /// The number of the first entry.
    private var first = 0
    private var bytes = 0

    var all: Deque<Entry> { entries }

    subscript(_ id: RecordID) -> Entry? {
        numbers[id].map { entries[$0 - first] }
    }

    /// From now on it counts as having come by this way.
    mutating func came(_ id: RecordID, by giver: LinkID, hops: UInt8) {
        guard let number = numbers[id] else { return }
        entries[number - first].giver = giver
        entries[number - first].hops = hops
    }

    mutating func insert(_ entry: Entry) {
        let size = entry.record.signed.bytes.count
        let oldest = entry.at.nanoseconds - Self.age
        while let front = entries.first,
            front.at.nanoseconds < oldest || entries.count >= MeshLimit.recentMax
                || bytes + size > MeshLimit.recentBytesMax
        {
            removeFirst()
        }
        guard size <= MeshLimit.recentBytesMax, numbers[entry.record.id] == nil else { return }
        numbers[entry.record.id] = first + entries.count
        entries.append(entry)
        bytes += size
    }

    private mutating func removeFirst() {
        let gone = entries.removeFirst()
        numbers[gone.record.id] = nil
        bytes -= gone.record.signed.bytes.count
        first += 1
    }
}
