import LatticeCore

/// The exclusive end of a range: a timestamp, and as much of an id as tells items of one timestamp apart.
struct ReconciliationBound: Equatable, Sendable {
    /// Behind every item.
    static let infinity = ReconciliationBound(timestamp: .max)
    /// Where the first range begins.
    static let start = ReconciliationBound(timestamp: 0)

    let timestamp: UInt64
    /// Filled up with zeros, as "Bound" has it.
    let prefix: Bytes32
    /// 0…32, of `prefix`.
    let prefixBytes: Int

    init(timestamp: UInt64, prefix: Bytes32 = .zero, prefixBytes: Int = 0) {
        self.timestamp = timestamp
        self.prefix = prefix
        self.prefixBytes = prefixBytes
    }

    /// Exactly before an item.
    init(before item: ReconciliationItem) {
        self.init(timestamp: item.timestamp, prefix: item.id, prefixBytes: 32)
    }

    /// The shortest that ends a range behind `last` and before `next`, its successor.
    init(between last: ReconciliationItem, and next: ReconciliationItem) {
        guard last.timestamp == next.timestamp else {
            self.init(timestamp: next.timestamp)
            return
        }
        let length = min(32, last.id.digitsShared(with: next.id) / 2 + 1)
        let shown = next.id.bytes.prefix(length)
        let filled = Bytes32(shown + [UInt8](repeating: 0, count: 32 - length)) ?? .zero
        self.init(timestamp: next.timestamp, prefix: filled, prefixBytes: length)
    }

    func isBehind(_ item: ReconciliationItem) -> Bool {
        item.timestamp == timestamp ? item.id < prefix : item.timestamp < timestamp
    }

    func isBefore(_ other: ReconciliationBound) -> Bool {
        timestamp == other.timestamp ? prefix < other.prefix : timestamp < other.timestamp
    }
}
