package import LatticeCore

/// Dates as people type them: `2026-12-01 18:00` in local time, RFC 3339, `+2h`, `tomorrow 18:00`.
package enum DateText {
    package enum Fault: Error, Equatable, CustomStringConvertible {
        case notADate
        case noSuchDay
        case timeMissing
        case tooFar

        package var description: String {
            switch self {
            case .notADate:
                "not a date; write 2026-12-01 18:00, 2026-12-01T18:00:00Z, +2h, 18:00, tomorrow 18:00 or sat 18:00"
            case .noSuchDay: "no such day or hour; write it as in 2026-12-01 18:00"
            case .timeMissing: "the time is missing; write it after the day, as in 2026-12-01 18:00"
            case .tooFar: "too far ahead; name a date within a year"
            }
        }
    }

    /// Guards against overflow when milliseconds are added.
    private static let aheadMax: Duration = .seconds(100 * 365 * 86_400)

    package static func parse(_ text: String, at now: WallTime, in calendar: LocalCalendar) throws(Fault) -> WallTime {
        let words = text.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "," })
        guard let first = words.first else { throw .notADate }
        if first.hasPrefix("+") { return try after(text.trimming().dropFirst(), now) }
        if words == ["now"] { return now }
        if words.count == 1, first.contains(":"), !first.contains("-"), !first.contains("t") {
            return try next(first, after: now, in: calendar) { _ in true }
        }
        if let weekday = weekday(first) {
            guard words.count == 2 else { throw words.count < 2 ? .timeMissing : .notADate }
            return try next(words[1], after: now, in: calendar) { $0 == weekday }
        }
        if first == "today" || first == "tomorrow" {
            guard words.count == 2 else { throw words.count < 2 ? .timeMissing : .notADate }
            let day = calendar.civil(WallTime(milliseconds: now.milliseconds + (first == "today" ? 0 : 86_400_000)))
            return calendar.time(try civil([day.year, day.month, day.day], try clock(words[1])))
        }
        let parts = words.count == 1 ? first.split(separator: "t") : words
        guard parts.count <= 2, let date = parts.first else { throw .notADate }
        let day = try numbers(date, separator: "-", widths: [4, 2, 2])
        guard parts.count == 2 else { throw .timeMissing }
        let (time, offset) = try offset(of: parts[1])
        let civil = try civil(day, try clock(time))
        guard let offset else { return calendar.time(civil) }
        return WallTime(milliseconds: civil.utc.milliseconds - Int64(offset) * 60_000)
    }

    /// Whether two words are one date, such as `tomorrow` and `20:00`, while the first alone is none: people forget the
    /// quotes around a date after an option.
    package static func isDate(_ day: some StringProtocol, _ hour: some StringProtocol) -> Bool {
        guard let first = hour.first, first.isASCII, first.isNumber, hour.contains(":"), !hour.contains("-") else {
            return false
        }
        let day = day.lowercased()
        let isNamed = day == "today" || day == "tomorrow" || weekday(day[...]) != nil
        return isNamed || day.count(where: { $0 == "-" }) == 2 && !day.contains { $0 != "-" && !$0.isNumber }
    }

    /// The next time at which local clocks show this time on a matching day.
    ///
    /// - Parameter isDay: takes a weekday; 0 is Sunday.
    private static func next(
        _ text: Substring, after now: WallTime, in calendar: LocalCalendar, isDay: (Int) -> Bool
    ) throws(Fault) -> WallTime {
        let clock = try clock(text)
        for days in 0...7 {
            let day = calendar.civil(WallTime(milliseconds: now.milliseconds + Int64(days) * 86_400_000))
            let civil = try civil([day.year, day.month, day.day], clock)
            let time = calendar.time(civil)
            // The first of January 1970 was a Thursday.
            if isDay(Int(civil.utc.milliseconds / 86_400_000 + 4) % 7), time > now { return time }
        }
        throw .noSuchDay
    }

    /// 0 for `sun` or `Sunday`.
    private static func weekday(_ word: Substring) -> Int? {
        let names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        return word.count < 3 ? nil : names.firstIndex { $0.hasPrefix(word) }
    }

    private static func after(_ text: some StringProtocol, _ now: WallTime) throws(Fault) -> WallTime {
        let duration: Duration
        do {
            duration = try DurationText.parse(String(text))
        } catch {
            throw .notADate
        }
        guard duration <= aheadMax else { throw .tooFar }
        return WallTime(milliseconds: now.milliseconds + duration.components.seconds * 1_000)
    }

    private static func civil(_ day: [Int], _ clock: [Int]) throws(Fault) -> CivilTime {
        let civil = CivilTime(
            year: day[0], month: day[1], day: day[2], hour: clock[0], minute: clock[1], second: clock[2])
        guard let civil else { throw .noSuchDay }
        return civil
    }

    /// Hours, minutes and seconds; fractions of seconds are dropped.
    private static func clock(_ text: Substring) throws(Fault) -> [Int] {
        let whole = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard whole.count == 1 || !whole[1].isEmpty && whole[1].allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw .notADate
        }
        let isShort = whole[0].count(where: { $0 == ":" }) == 1
        return try numbers(whole[0], separator: ":", widths: isShort ? [2, 2] : [2, 2, 2]) + (isShort ? [0] : [])
    }

    private static func numbers(_ text: Substring, separator: Character, widths: [Int]) throws(Fault) -> [Int] {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == widths.count else { throw .notADate }
        var numbers: [Int] = []
        for (part, width) in zip(parts, widths) {
            guard (1...width).contains(part.count), part.allSatisfy({ $0.isASCII && $0.isNumber }),
                let number = Int(part)
            else { throw .notADate }
            numbers.append(number)
        }
        return numbers
    }

    /// The time of day, and its UTC offset in minutes if given (RFC 3339 section 5.6).
    private static func offset(of text: Substring) throws(Fault) -> (Substring, Int?) {
        if text.hasSuffix("z") { return (text.dropLast(), 0) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (text, nil) }
        let parts = try numbers(text[text.index(after: sign)...], separator: ":", widths: [2, 2])
        guard parts[0] < 24, parts[1] < 60 else { throw .noSuchDay }
        return (text[..<sign], (text[sign] == "+" ? 1 : -1) * (parts[0] * 60 + parts[1]))
    }
}
