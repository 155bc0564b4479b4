import LatticeAPI
import LatticeCore

/// What distinguishes people of one name.
enum PersonFacts {
    private static let shownMax = 8

    static func list(_ people: [KnownPerson], at now: WallTime) -> String {
        let shown = people.prefix(shownMax).map { person in
            let facts = facts(of: person, at: now)
            let name = DisplayText.isolated((person.petname ?? person.name)?.withoutMarks ?? "")
            return "\(name)#\(person.id.short)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
        }
        return shown.joined(separator: ", ") + (people.count > shownMax ? ", …" : "")
    }

    /// `verified`, `last seen 3 days ago`
    static func facts(of person: KnownPerson, at now: WallTime) -> [String] {
        var facts: [String] = []
        if person.petname != nil, let name = person.name {
            facts.append("calls itself \(DisplayText.isolated(name.withoutMarks))")
        }
        if person.verified != nil { facts.append("verified") }
        if person.blocked != nil { facts.append("blocked") }
        if let seen = person.lastSeen { facts.append("last seen \(ago(now.milliseconds - seen.milliseconds))") }
        return facts
    }

    private static func ago(_ milliseconds: Int64) -> String {
        switch milliseconds / 60_000 {
        case ..<1: "just now"
        case let minutes where minutes < 60: "\(minutes) min ago"
        case let minutes where minutes < 48 * 60: "\(minutes / 60) h ago"
        case let minutes: "\(minutes / (24 * 60)) days ago"
        }
    }
}
