package import LatticeCore

/// Dates as programs write them: `2026-11-21T09:30:00.250Z`, always UTC, always milliseconds.
package enum RFC3339 {
    /// The end of the year 9999: there are four digits for a year, and a stranger's record can claim to be later.
    private static let millisecondsMax: Int64 = 253_402_300_799_999

    package static func string(_ time: WallTime) -> String {
        let milliseconds = min(max(0, time.milliseconds), millisecondsMax)
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, day) = civil(days: days)
        let seconds = rest / 1_000
        let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock).\(padded(rest % 1_000, 3))Z"
    }

    /// Year, month and day of a count of days since 1970-01-01, proleptic Gregorian: every era of 400 years has 146,097
    /// days, and counting years from March puts the leap day last.
    private static func civil(days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
