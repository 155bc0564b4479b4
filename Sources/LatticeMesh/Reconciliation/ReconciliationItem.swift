package import LatticeCore

/// A record as reconciliation sees it: its timestamp and its id. Both peers sort by these alone.
package struct ReconciliationItem: Hashable, Comparable, Sendable {
    package let timestamp: UInt64
    package let id: Bytes32

    /// - Returns: `nil` for the timestamp 2^64 − 1, which the protocol keeps for infinity ("Preparation").
    package init?(timestamp: UInt64, id: Bytes32) {
        guard timestamp != .max else { return nil }
        self.timestamp = timestamp
        self.id = id
    }

    package static func < (left: ReconciliationItem, right: ReconciliationItem) -> Bool {
        left.timestamp == right.timestamp ? left.id < right.id : left.timestamp < right.timestamp
    }
}
