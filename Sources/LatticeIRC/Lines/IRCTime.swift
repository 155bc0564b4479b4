import LatticeCore

/// Dates as `2026-11-22T08:15:30.123Z` (IRCv3 server-time), in UTC and without a calendar of this machine.
enum IRCTime {
    private static let dayMilliseconds: Int64 = 86_400_000
    /// 9999-12-31: later ones have no such form.
    private static let latest: Int64 = 253_402_300_799_999

    static func text(_ time: WallTime) -> String {
        let milliseconds = min(max(time.milliseconds, 0), latest)
        let (day, rest) = (milliseconds / dayMilliseconds, milliseconds % dayMilliseconds)
        let date = civil(day)
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(padded(rest / 3_600_000, 2)):"
            + "\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1_000 % 60, 2)).\(padded(rest % 1_000, 3))Z"
    }

    /// Hours and minutes.
    static func clock(_ time: WallTime) -> String {
        let rest = max(time.milliseconds, 0) % dayMilliseconds
        return "\(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2))"
    }

    /// - Returns: `nil` for what has another form.
    static func read(_ text: some StringProtocol) -> WallTime? {
        let utf8 = Array(text.utf8)
        guard (20...24).contains(utf8.count), utf8.last == UInt8(ascii: "Z"),
            utf8[4] == UInt8(ascii: "-"), utf8[7] == UInt8(ascii: "-"), utf8[10] == UInt8(ascii: "T"),
            utf8[13] == UInt8(ascii: ":"), utf8[16] == UInt8(ascii: ":"),
            let year = number(utf8[0..<4]), let month = number(utf8[5..<7]), let day = number(utf8[8..<10]),
            let hour = number(utf8[11..<13]), let minute = number(utf8[14..<16]), let second = number(utf8[17..<19]),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        var milliseconds: Int64 = 0
        if utf8.count > 20 {
            guard utf8[19] == UInt8(ascii: "."), utf8.count > 21, let fraction = number(utf8[20..<utf8.count - 1])
            else { return nil }
            milliseconds = fraction * [100, 10, 1][utf8.count - 22]
        }
        // A day that the month does not have would be one of the next.
        let number = days(year, month, day)
        guard civil(number).month == month else { return nil }
        let seconds = ((number * 24 + hour) * 60 + minute) * 60 + second
        return WallTime(milliseconds: seconds * 1_000 + milliseconds)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Days since 1970 as a date of the Gregorian calendar (H. Hinnant, chrono-compatible low-level date algorithms).
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
