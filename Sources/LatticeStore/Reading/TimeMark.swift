package import LatticeCore

/// The end of a page of a list by date.
package struct TimeMark: Hashable, Sendable {
    package let date: WallTime
    package let seq: Int64

    package init(date: WallTime, seq: Int64) {
        self.date = date
        self.seq = seq
    }

    /// Sorts after everything.
    static let last = TimeMark(date: WallTime(milliseconds: .max), seq: .max)
}

extension StoredItem {
    /// The end of a page whose last entry is this.
    package var mark: TimeMark { TimeMark(date: date, seq: seq) }
}

/// Limit of items in an answer.
let pageLimitMax = 1_000
