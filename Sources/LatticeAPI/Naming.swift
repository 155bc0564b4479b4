import LatticeCore

/// The one way to resolve what a person types to somebody, for every command and every front.
package enum Naming {
    /// Fewer digits are taken for a name.
    private static let digitsMin = 8

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
}

extension KnownPerson {
    fileprivate var names: [PeerName] { [name, petname].compactMap(\.self) }
}
