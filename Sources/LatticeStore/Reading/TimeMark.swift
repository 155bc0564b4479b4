package import LatticeCore

/// Where a page of a list by date ends.
package struct TimeMark: Hashable, Sendable {
    package let date: WallTime
    package let seq: Int64

    package init(date: WallTime, seq: Int64) {
        self.date = date
        self.seq = seq
    }

    /// After the last of all.
    static let last = TimeMark(date: WallTime(milliseconds: .max), seq: .max)
}

extension StoredItem {
    /// Where a page ends that ends with this.
    package var mark: TimeMark { TimeMark(date: date, seq: seq) }
}

/// Items of one answer of a list.
let pageLimitMax = 1_000
