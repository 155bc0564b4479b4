import LatticeCore

/// Marks between lines of different days, since lines show only the time of day.
struct DayMarks {
    private let calendar: LocalCalendar
    private let today: CivilTime
    private var day: CivilTime

    /// Without a mark, lines are from today.
    init(at now: WallTime, in calendar: LocalCalendar) {
        self.calendar = calendar
        today = calendar.civil(now).midnight
        day = today
    }

    /// The mark before a line of that date, if the day changes there.
    mutating func mark(before date: WallTime) -> String? {
        turn(to: calendar.civil(date).midnight)
    }

    /// The mark after the last line, if it is not from today.
    mutating func end() -> String? { turn(to: today) }

    /// `today`, `yesterday`, or `Fri 20 Nov`.
    private func text(of day: CivilTime) -> String {
        let days = (today.utc.milliseconds - day.utc.milliseconds) / 86_400_000
        return switch days {
        case 0: "today"
        case 1: "yesterday"
        default: day.dayText(withYear: day.year != today.year)
        }
    }

    private mutating func turn(to next: CivilTime) -> String? {
        guard next != day else { return nil }
        day = next
        return "── \(text(of: next)) ──"
    }
}

extension CivilTime {
    fileprivate var midnight: CivilTime { CivilTime(year: year, month: month, day: day) ?? self }

    /// `Fri 20 Nov`, with the year if it would be unclear.
    fileprivate func dayText(withYear: Bool) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // The first of January 1970 was a Thursday.
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let weekday = weekdays[Int(utc.milliseconds / 86_400_000) % 7]
        return "\(weekday) \(day) \(months[month - 1])\(withYear ? " \(year)" : "")"
    }
}
