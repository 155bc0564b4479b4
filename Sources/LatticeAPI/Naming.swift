package import LatticeCore

/// The one way to resolve what a person types to somebody, for every command and every front.
package enum Naming {
    /// Fewer digits are taken for a name.
    private static let digitsMin = 8
    private static let shownMax = 8

    /// The people who may be meant, each once. In order of precedence: a whole id, petnames, short ids (`bob#k7f3`, `#k7f3`),
    /// names that people give themselves; then the beginning of an id, a bare short id, and a name in other case.
    ///
    /// - Parameter people: somebody with several names appears once for each, the entry with all that is known first.
    package static func meant(by typed: String, among people: [KnownPerson]) -> [KnownPerson] {
        let wanted = typed.hasPrefix("@") ? String(typed.dropFirst()) : typed
        let small = wanted.lowercased()
        let mayBeID = wanted.utf8.count >= digitsMin && wanted.utf8.allSatisfy(Hex.isDigit)
        let tests: [(KnownPerson) -> Bool] = [
            { $0.id.hex == small },
            { $0.petname?.text == wanted },
            { person in
                "#\(person.id.short)" == wanted
                    || person.names.contains { "\($0.text)#\(person.id.short)" == wanted }
            },
            { $0.name?.text == wanted },
            { mayBeID && $0.id.hex.hasPrefix(small) },
            { $0.id.short == wanted },
            { $0.names.contains { $0.text.lowercased() == small } },
        ]
        for test in tests {
            let found = people.filter(test)
            if !found.isEmpty { return whole(found, of: people) }
        }
        return []
    }

    private static func whole(_ found: [KnownPerson], of people: [KnownPerson]) -> [KnownPerson] {
        var seen: Set<PeerID> = []
        let first = Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return found.filter { seen.insert($0.id).inserted }.map { first[$0.id] ?? $0 }
    }

    /// An error that lists the people who may be meant and how they differ.
    package static func ambiguous(_ found: [KnownPerson], at now: WallTime) -> RequestError {
        let shown = found.prefix(shownMax).map { person in
            let facts = facts(of: person, at: now)
            let name = DisplayText.isolated((person.petname ?? person.name)?.withoutMarks ?? "")
            return "\(name)#\(person.id.short)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
        }
        let more = found.count > shownMax ? ", …" : ""
        return RequestError(
            .ambiguous, "several people have that name: \(shown.joined(separator: ", "))\(more); say which one",
            candidates: found)
    }

    /// `verified`, `last seen 3 days ago`: what distinguishes people of one name.
    package static func facts(of person: KnownPerson, at now: WallTime) -> [String] {
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

    package static let isYou = "that's you; name somebody else"
}

extension KnownPerson {
    fileprivate var names: [PeerName] { [name, petname].compactMap(\.self) }
}
