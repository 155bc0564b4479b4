/// The date of a record: 48 bits of Unix milliseconds, then a counter of 16 bits, so that an author's records have
/// distinct dates that sort in the order of creation (hybrid logical clock; Kulkarni et al. 2014).
package struct HybridTime: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package init(wallTime: WallTime, counter: UInt16 = 0) {
        let milliseconds = UInt64(clamping: wallTime.milliseconds) & 0xFFFF_FFFF_FFFF
        rawValue = milliseconds << 16 | UInt64(counter)
    }

    package var wallTime: WallTime { WallTime(milliseconds: Int64(rawValue >> 16)) }

    package static func < (left: HybridTime, right: HybridTime) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Gives each record of this peer a new, larger date, whatever the wall clock does, and a later one than all dates that
/// this peer has heard: an answer sorts after its question, however far apart the two clocks are.
package struct HybridClock: Sendable {
    /// How far heard dates may push this clock ahead of the wall clock. Clocks that are days off are common enough (the
    /// requirement is three); one that is further ahead is broken or lying, and would push everybody's clock.
    package static let carriedAheadMax: Duration = .seconds(7 * 86_400)

    private var last: HybridTime

    /// - Parameter last: the newest date that is known, from an earlier process.
    package init(after last: HybridTime = HybridTime(rawValue: 0)) {
        self.last = last
    }

    package mutating func next(at wallTime: WallTime) -> HybridTime {
        let fresh = HybridTime(wallTime: wallTime)
        let (following, isAtItsEnd) = last.rawValue.addingReportingOverflow(1)
        last = fresh > last || isAtItsEnd ? fresh : HybridTime(rawValue: following)
        return last
    }

    /// The date of something that this peer made: the next dates are larger, however far ahead it is.
    package mutating func made(_ time: HybridTime) {
        last = max(last, time)
    }

    /// A heard date; the next date of this peer will be later.
    package mutating func heard(_ time: HybridTime, at wallTime: WallTime) {
        guard time > last else { return }
        let ahead = Duration.milliseconds(time.wallTime.milliseconds - wallTime.milliseconds)
        if ahead <= Self.carriedAheadMax { last = time }
    }
}
