import LatticeCore

/// Says where among lines of the past another day begins: each line shows the time of day alone.
struct DayMarks {
    private let calendar: LocalCalendar
    private let today: CivilTime
    private var day: CivilTime

    /// Lines are read as of today until a mark says otherwise.
    init(at now: WallTime, in calendar: LocalCalendar) {
        self.calendar = calendar
        today = calendar.civil(now).midnight
        day = today
    }

    /// What stands before a line of that date, if it is of another day than the one before it.
    mutating func mark(before date: WallTime) -> String? {
        turn(to: calendar.civil(date).midnight)
    }

    /// What stands after the last line, if that is not of today.
    mutating func end() -> String? { turn(to: today) }

    private mutating func turn(to next: CivilTime) -> String? {
        guard next != day else { return nil }
        day = next
        return "— \(next.dayText(withYear: next.year != today.year)) —"
    }
}

extension CivilTime {
    fileprivate var midnight: CivilTime { CivilTime(year: year, month: month, day: day) ?? self }

    /// `Fri 20 Nov`, and the year where it is not clear.
    fileprivate func dayText(withYear: Bool) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // The first of January 1970 was a Thursday.
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let weekday = weekdays[Int(utc.milliseconds / 86_400_000) % 7]
        return "\(weekday) \(day) \(months[month - 1])\(withYear ? " \(year)" : "")"
    }
}
