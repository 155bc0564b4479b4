package import LatticeAPI
package import LatticeCore

/// Contacts and other known people as text.
package enum KnownLines {
    package static func list(_ people: [KnownPerson], _ context: CommandContext) -> [String] {
        let names = NamesInList(people.map { (name($0), $0.id) })
        let head = ["NAME", "ID", "VERIFIED", "FIRST SEEN", "LAST SEEN", ""]
        let rows = people.map { person in
            let day = { (date: WallTime?) in date.map { dayText($0, at: context.now, in: context.calendar) } ?? "-" }
            return [
                names.shown(name(person), person.id), person.id.short, day(person.verified), day(person.firstSeen),
                day(person.lastSeen), marks(person).joined(separator: ", "),
            ]
        }
        return TextTable.lines([head] + rows, context)
    }

    /// `bob#rrxy`, or `#rrxy` without a known name.
    package static func shown(_ person: KnownPerson) -> String {
        "\(DisplayText.isolated(name(person)))#\(person.id.short)"
    }

    /// The petname, else the person's own name, without characters that look like a mark.
    private static func name(_ person: KnownPerson) -> String {
        (person.petname ?? person.name)?.withoutMarks ?? ""
    }

    private static func marks(_ person: KnownPerson) -> [String] {
        var marks: [String] = []
        if person.petname != nil, let name = person.name {
            marks.append("calls itself \(DisplayText.isolated(name.text))")
        }
        if person.added != nil { marks.append("contact") }
        if person.blocked != nil { marks.append("blocked") }
        if person.ignored != nil { marks.append("ignored") }
        return marks
    }

    /// The safety number that two people compare, with instructions.
    package static func lines(_ number: SafetyNumberInfo, _ context: CommandContext) -> [String] {
        let who = shown(number.person)
        func rows(_ parts: [String]) -> [String] {
            stride(from: 0, to: parts.count, by: 4).map { start in
                "  " + parts[start..<min(start + 4, parts.count)].joined(separator: " ")
            }
        }
        let isVerified = number.person.verified != nil
        let next =
            isVerified
            ? "This key is verified. To undo that: \(context.call("verify NAME no"))"
            : "If \(who) sees the same digits or words, confirm it: \(context.call("verify")) "
                + "\(DisplayText.isolated(name(number.person)))#\(number.person.id.short) yes"
        return [context.styled("Safety number for you and \(who):", "36")] + rows(number.groups) + rows(number.words)
            + ItemLines.wrapped(next, indent: 0, context)
    }

    /// A warning that somebody uses another person's name.
    package static func clash(_ clash: NameClash, at now: WallTime, in calendar: LocalCalendar) -> String {
        let (new, old) = (clash.newcomer, clash.known)
        let day = { (date: WallTime) in dayText(date, at: now, in: calendar) }
        let seen = new.firstSeen.map { " (first seen \(day($0)))" } ?? ""
        let since = (old.firstSeen ?? old.added).map { "known since \(day($0))" }
        let facts = [since, old.verified.map { _ in "verified" }].compactMap(\.self).joined(separator: ", ")
        let known = DisplayText.isolated((old.name ?? old.petname)?.withoutMarks ?? "")
        return
            "Careful: this is a different \(known). \(shown(new)) is new\(seen); \(known)#\(old.id.short) is the one you know"
            + (facts.isEmpty ? "." : " (\(facts)).")
    }

    /// `today` or `3 Nov`, with the year if it is not the current one.
    static func dayText(_ date: WallTime, at now: WallTime, in calendar: LocalCalendar) -> String {
        let (day, today) = (calendar.civil(date), calendar.civil(now))
        if (day.year, day.month, day.day) == (today.year, today.month, today.day) { return "today" }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(day.day) \(months[day.month - 1])" + (day.year == today.year ? "" : " \(day.year)")
    }
}
