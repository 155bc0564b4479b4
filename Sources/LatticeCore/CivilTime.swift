/// A calendar date and a time of day, proleptic Gregorian.
package struct CivilTime: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int

    /// - Returns: `nil` for a date or time that does not exist.
    package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (1970...9_999).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// UTC; dates outside of the years 1970…9999 are clamped.
    package init(utc time: WallTime) {
        let seconds = min(max(0, time.milliseconds / 1_000), Self.secondsMax)
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        // Each era of 400 years has 146,097 days; years that start in March have the leap day at their end.
        let (era, dayOfEra) = Int(days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        (hour, minute, second) = (Int(rest / 3_600), Int(rest / 60 % 60), Int(rest % 60))
    }

    /// This date and time taken as UTC.
    package var utc: WallTime {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let seconds = (era * 146_097 + dayOfEra - 719_468) * 86_400 + hour * 3_600 + minute * 60 + second
        return WallTime(milliseconds: Int64(seconds) * 1_000)
    }

    /// `2026-12-01 18:00`
    package var text: String {
        "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2)) "
            + clock
    }

    /// `18:00`
    package var clock: String { "\(Self.padded(hour, 2)):\(Self.padded(minute, 2))" }

    /// `20261201T180000`, the basic format of ISO 8601.
    package var basic: String {
        Self.padded(year, 4) + Self.padded(month, 2) + Self.padded(day, 2) + "T" + Self.padded(hour, 2)
            + Self.padded(minute, 2) + Self.padded(second, 2)
    }

    /// The last second of the year 9999.
    private static let secondsMax: Int64 = 253_402_300_799

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
