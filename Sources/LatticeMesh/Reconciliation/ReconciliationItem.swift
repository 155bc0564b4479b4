package import LatticeCore

/// What reconciliation knows of a record: when it was made and its id. Both peers sort by these, and by nothing else.
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
