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
    private var bytes = 0

    var all: Deque<Entry> { entries }

    subscript(_ id: RecordID) -> Entry? {
        index(of: id).map { entries[$0] }
    }

    /// As the subscript, for what matters only while it is new: among the newest few.
    func fresh(_ id: RecordID) -> Entry? {
        index(of: id, among: MeshLimit.freshMax).map { entries[$0] }
    }

    /// Looked for from the newest on: what is asked about came a moment ago, and so no table has to be kept for it.
    private func index(of id: RecordID, among countMax: Int = .max) -> Int? {
        var index = entries.count
        let end = entries.count - min(entries.count, countMax)
        while index > end {
            index -= 1
            if entries[index].record.id == id { return index }
        }
        return nil
    }

    /// From now on it counts as having come by this way.
    mutating func came(_ id: RecordID, by giver: LinkID, hops: UInt8) {
        guard let index = index(of: id) else { return }
        entries[index].giver = giver
        entries[index].hops = hops
    }

    /// - Parameter entry: of a record that is not here, which whoever remembers what was seen knows.
    mutating func insert(_ entry: Entry) {
        let size = entry.record.signed.bytes.count
        let oldest = entry.at.nanoseconds - Self.age
        while let front = entries.first,
            front.at.nanoseconds < oldest || entries.count >= MeshLimit.recentMax
                || bytes + size > MeshLimit.recentBytesMax
        {
            removeFirst()
        }
        guard size <= MeshLimit.recentBytesMax else { return }
        entries.append(entry)
        bytes += size
    }

    private mutating func removeFirst() {
        let gone = entries.removeFirst()
        bytes -= gone.record.signed.bytes.count
    }
}
