package import LatticeWire

/// What one peer of a world stores, and how much.
package struct StoreSettings: Hashable, Sendable, CustomStringConvertible {
    /// Limits on others' records, in total and for one author. Deleted records and deletions do not count.
    package var quota = 10_000
    package var authorQuota = 10_000
    package var groups = SyncScope.Group.allCases
    /// The only rooms whose chat is stored; `nil` for all.
    package var rooms: [[UInt8]]?
    /// Frame size of its reconciliations, 4,096–60,000.
    package var frameBytesMax = Comparison.messageBytesMax

    package init() {}

    package var description: String {
        let groups = groups.map { "\($0)" }.joined(separator: " ")
        let rooms = rooms.map { $0.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ") } ?? "all rooms"
        return "\(quota) records, \(authorQuota) of one author, \(groups), \(rooms), frames of \(frameBytesMax) bytes"
    }

    func keeps(_ record: Record, in group: SyncScope.Group) -> Bool {
        guard groups.contains(group) else { return false }
        return group != .chat || rooms?.contains(record.topic) ?? true
    }
}
