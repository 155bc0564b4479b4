package import LatticeCore

/// Dates as programs write them: `2026-11-21T09:30:00.250Z`, always UTC, always milliseconds.
package enum RFC3339 {
    /// A date beyond the year 9999, which a stranger's record can claim, is the end of it: a year has four digits.
    private static let millisecondsMax: Int64 = 253_402_300_799_999

    package static func string(_ time: WallTime) -> String {
        let milliseconds = min(max(0, time.milliseconds), millisecondsMax)
        let civil = CivilTime(utc: WallTime(milliseconds: milliseconds))
        let date = [padded(civil.year, 4), padded(civil.month, 2), padded(civil.day, 2)].joined(separator: "-")
        let clock = [civil.hour, civil.minute, civil.second].map { padded($0, 2) }.joined(separator: ":")
        return "\(date)T\(clock).\(padded(Int(milliseconds % 1_000), 3))Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
