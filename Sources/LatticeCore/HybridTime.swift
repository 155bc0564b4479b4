/// The date on a record: 48 bits of Unix milliseconds, then 16 bits of counter, so that one author's records never share
/// a date and sort in the order they were made (hybrid logical clock; Kulkarni et al. 2014).
package struct HybridTime: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package init(wall: WallTime, counter: UInt16 = 0) {
        let milliseconds = UInt64(clamping: wall.milliseconds) & 0xFFFF_FFFF_FFFF
        rawValue = milliseconds << 16 | UInt64(counter)
    }

    package var wall: WallTime { WallTime(milliseconds: Int64(rawValue >> 16)) }

    package static func < (left: HybridTime, right: HybridTime) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Gives each record of this peer its own, growing date, whatever the wall clock does.
///
/// Others' dates do not push it: a neighbour whose clock is a year ahead must not carry ours along.
package struct HybridClock: Sendable {
    private var last = HybridTime(rawValue: 0)

    package init() {}

    package mutating func next(at wall: WallTime) -> HybridTime {
        let fresh = HybridTime(wall: wall)
        last = fresh > last ? fresh : HybridTime(rawValue: last.rawValue + 1)
        return last
    }
}
