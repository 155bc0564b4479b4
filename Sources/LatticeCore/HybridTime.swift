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

/// Gives each record of this peer its own, growing date, whatever the wall clock does, and one behind the dates of all that
/// this peer has heard: an answer stands behind what it answers, however far apart two clocks are.
package struct HybridClock: Sendable {
    /// How far ahead of the wall clock others' dates may carry this one. Clocks that are days off are common enough (three
    /// are asked for); one that is further ahead is broken or lies, and would carry everybody along for as long.
    package static let carriedAheadMax: Duration = .seconds(7 * 86_400)

    private var last: HybridTime

    /// - Parameter last: the newest date that is known, from an earlier process.
    package init(after last: HybridTime = HybridTime(rawValue: 0)) {
        self.last = last
    }

    package mutating func next(at wall: WallTime) -> HybridTime {
        let fresh = HybridTime(wall: wall)
        let (following, isAtItsEnd) = last.rawValue.addingReportingOverflow(1)
        last = fresh > last || isAtItsEnd ? fresh : HybridTime(rawValue: following)
        return last
    }

    /// A date that something of this peer's own was given: none goes back behind it, however far ahead it is.
    package mutating func made(_ time: HybridTime) {
        last = max(last, time)
    }

    /// A date of somebody's, which what is said next here is to stand behind.
    package mutating func heard(_ time: HybridTime, at wall: WallTime) {
        guard time > last else { return }
        let ahead = Duration.milliseconds(time.wall.milliseconds - wall.milliseconds)
        if ahead <= Self.carriedAheadMax { last = time }
    }
}
