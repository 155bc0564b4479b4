package import LatticeAPI
package import LatticeCore

package enum KnownJSON {
    package static func object(_ person: KnownPerson) -> JSONLine {
        JSONLine([("event", .text("contact"))] + members(person))
    }

    package static func object(_ number: SafetyNumberInfo) -> JSONLine {
        JSONLine(
            [("event", .text("safety_number"))] + members(number.person) + [
                ("digits", .text(number.groups.joined())), ("words", .list(number.words.map { .text($0) })),
            ])
    }

    package static func muted(_ rooms: [RoomName]) -> JSONLine {
        JSONLine([("event", .text("muted")), ("rooms", .list(rooms.map { .text($0.text) }))])
    }

    /// - Parameter wrongLines: line numbers, from 1.
    package static func imported(new: Int, known: Int, wrongLines: [Int]) -> JSONLine {
        JSONLine([
            ("event", .text("blocked")), ("new", .integer(new)), ("known", .integer(known)),
            ("wrong_lines", .list(wrongLines.map { .integer($0) })),
        ])
    }

    static func members(_ clash: NameClash, _ message: String) -> [(String, JSONLine.Value)] {
        [
            ("event", .text("name_clash")), ("id", .text(clash.newcomer.id.hex)),
            ("name", .text(clash.newcomer.name?.text)), ("known", .object(JSONLine(members(clash.known)))),
            ("message", .text(message)),
        ]
    }

    static func members(_ person: KnownPerson) -> [(String, JSONLine.Value)] {
        func date(_ date: WallTime?) -> JSONLine.Value { .text(date.map(RFC3339.string)) }
        return [
            ("id", .text(person.id.hex)), ("short", .text(person.id.short)), ("name", .text(person.name?.text)),
            ("petname", .text(person.petname?.text)), ("verified", date(person.verified)),
            ("first_seen", date(person.firstSeen)), ("last_seen", date(person.lastSeen)), ("added", date(person.added)),
            ("blocked", date(person.blocked)), ("ignored", date(person.ignored)),
        ]
    }
}
