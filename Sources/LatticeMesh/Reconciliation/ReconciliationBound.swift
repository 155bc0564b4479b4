import LatticeCore

/// The exclusive end of a range: a timestamp, and a prefix of an id just long enough to separate items of one
/// timestamp.
struct ReconciliationBound: Equatable, Sendable {
    /// After every item.
    static let infinity = ReconciliationBound(timestamp: .max)
    static let start = ReconciliationBound(timestamp: 0)

    let timestamp: UInt64
    /// Padded with zeros ("Bound").
    let prefix: Bytes32
    /// 0…32, the length of `prefix`.
    let prefixBytes: Int

    init(timestamp: UInt64, prefix: Bytes32 = .zero, prefixBytes: Int = 0) {
        self.timestamp = timestamp
        self.prefix = prefix
        self.prefixBytes = prefixBytes
    }

    init(before item: ReconciliationItem) {
        self.init(timestamp: item.timestamp, prefix: item.id, prefixBytes: 32)
    }

    /// The shortest bound between `last` and its successor `next`.
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
