import DequeModule
import LatticeCore
import LatticeWire

/// The records of the last half minute, for neighbours that request them.
struct RecentRecords: Sendable {
    struct Entry: Sendable {
        let record: VerifiedRecord
        /// The hops left for a copy; 0 if it ends here.
        let timeToLive: UInt8
        /// Links that it had travelled to here; 0 for our own.
        var hops: UInt8
        /// It left the tree on its way here.
        let isStray: Bool
        var isUrgent = false
        /// The age of a presence when it came.
        var ageMilliseconds: UInt32 = 0
        let at: Instant
        /// The link that brought it, or that is now expected to bring the next one; `nil` for our own.
        var giver: LinkID?

        func ageMilliseconds(at now: Instant) -> UInt32 {
            UInt32(clamping: Int64(ageMilliseconds) + (now - at).nanoseconds / 1_000_000)
        }
    }

    private static let age = MeshLimit.recentAge.nanoseconds
    private var entries: Deque<Entry> = []
    private var bytes = 0

    var all: Deque<Entry> { entries }

    subscript(_ id: RecordID) -> Entry? {
        index(of: id).map { entries[$0] }
    }

    /// Like the subscript, but only among the newest few, for what matters only while it is new.
    func fresh(_ id: RecordID) -> Entry? {
        index(of: id, among: MeshLimit.freshMax).map { entries[$0] }
    }

    /// Searches from the newest on: requested records are mostly recent, so no table is kept.
    private func index(of id: RecordID, among countMax: Int = .max) -> Int? {
        var index = entries.count
        let end = entries.count - min(entries.count, countMax)
        while index > end {
            index -= 1
            if entries[index].record.id == id { return index }
        }
        return nil
    }

    /// From now on the record counts as having come by this link.
    mutating func came(_ id: RecordID, by giver: LinkID, hops: UInt8) {
        guard let index = index(of: id) else { return }
        entries[index].giver = giver
        entries[index].hops = hops
    }

    /// - Parameter entry: a record that is not here yet; the caller knows it from `Seen`.
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
