import Glibc
import LatticeAPI
import LatticeCore
import LatticeCrypto

/// Answers requests about known people: the same for every persona, with and without a node.
struct KnownDesk: Sendable {
    let book: ContactBook
    let me: PeerID
    let mesh: MeshName
    /// This person's own name.
    var name: PeerName?
    /// Everybody whom a visitor's node knows, each once, without the owner's marks.
    var acquaintances: [KnownPerson] = []
    /// Authors of records in this store can be meant too.
    var archive: Archive?
    /// Who is here now, and so was just seen.
    var here: Set<PeerID> = []

    /// An answer, and everybody who is known now.
    typealias Outcome<Value> = (Value, KnownPeople)

    func people(at now: WallTime) throws(RequestError) -> Outcome<[KnownPerson]> {
        let known = try book.read()
        return (Self.ordered(seen(everybody(in: known), at: now)), known)
    }

    func person(_ reference: PeerReference, at now: WallTime) async throws(RequestError) -> Outcome<KnownPerson> {
        let writers = try await writers(reference, at: now)
        let known = try book.read()
        return (try find(reference, in: known, writers, at: now), known)
    }

    func safetyNumber(
        _ reference: PeerReference, at now: WallTime
    ) async throws(RequestError) -> Outcome<SafetyNumberInfo> {
        let (person, known) = try await person(reference, at: now)
        let number = SafetyNumber(me, person.id)
        return (SafetyNumberInfo(person: person, groups: number.groups, words: number.words), known)
    }

    func muted() throws(RequestError) -> Outcome<MutedRooms> {
        let known = try book.read()
        return (MutedRooms(known.muted(in: mesh)), known)
    }

    func mute(_ room: RoomName, _ isMuted: Bool) async throws(RequestError) -> Outcome<MutedRooms> {
        try await book.update { known throws(RequestError) in
            guard known.mute(room, in: mesh, isMuted) else {
                throw .tooManyMutedRooms(max: KnownLimit.mutedMax)
            }
            return MutedRooms(known.muted(in: mesh))
        }
    }

    func block(_ entries: [BlockEntry], at now: WallTime) async throws(RequestError) -> Outcome<BlockPeople.Reply> {
        try await book.update { known throws(RequestError) in
            BlockPeople.Reply(
                new: try block(entries, in: &known, at: now), hasSelf: entries.contains { $0.id == me })
        }
    }

    func remove(_ reference: PeerReference, at now: WallTime) async throws(RequestError) -> Outcome<KnownPerson> {
        let writers = try await writers(reference, at: now)
        return try await book.update { known throws(RequestError) in
            let person = try find(reference, in: known, writers, at: now)
            known.remove(person.id)
            return person
        }
    }

    /// Changes the marks of one person.
    func mark(
        _ reference: PeerReference, at now: WallTime, _ change: @escaping @Sendable (inout KnownPerson) -> Void
    ) async throws(RequestError) -> Outcome<KnownPerson> {
        let writers = try await writers(reference, at: now)
        return try await book.update { known throws(RequestError) in
            var person = try find(reference, in: known, writers, at: now)
            change(&person)
            guard known.put(person) else { throw .tooManyPeople(max: KnownLimit.peopleMax) }
            return person
        }
    }

    private func block(
        _ entries: [BlockEntry], in known: inout KnownPeople, at now: WallTime
    ) throws(RequestError) -> Int {
        var count = 0
        for entry in entries where entry.id != me && known[entry.id]?.blocked == nil {
            var person = known[entry.id] ?? KnownPerson(id: entry.id, name: entry.name)
            person.blocked = now
            guard known.put(person) else { throw .tooManyPeople(max: KnownLimit.peopleMax) }
            count += 1
        }
        return count
    }

    /// With a visitor's marks on them.
    private func everybody(in known: KnownPeople) -> [KnownPerson] {
        var marked = Dictionary(uniqueKeysWithValues: known.all.map { ($0.id, $0) })
        return acquaintances.map { met in
            guard var person = marked.removeValue(forKey: met.id) else { return met }
            person.name = met.name ?? person.name
            (person.namedSince, person.firstSeen, person.lastSeen) = (met.namedSince, met.firstSeen, met.lastSeen)
            return person
        } + known.all.filter { marked[$0.id] != nil }
    }

    /// The file is not written each time somebody is seen.
    private func seen(_ people: [KnownPerson], at now: WallTime) -> [KnownPerson] {
        people.map { person in
            guard here.contains(person.id) else { return person }
            var person = person
            person.lastSeen = max(person.lastSeen ?? now, now)
            return person
        }
    }

    /// Authors that the reference may mean.
    private func writers(
        _ reference: PeerReference, at now: WallTime
    ) async throws(RequestError) -> [KnownPerson] {
        try await archive?.reader.writers(reference.text, at: now) ?? []
    }

    /// A full id works for strangers too.
    private func find(
        _ reference: PeerReference, in known: KnownPeople, _ writers: [KnownPerson], at now: WallTime
    ) throws(RequestError) -> KnownPerson {
        let everybody = seen(everybody(in: known), at: now) + writers + [KnownPerson(id: me, name: name)]
        let meant = Naming.meant(by: reference.text, among: everybody)
        // My own name means somebody else, if anybody else has it.
        let found = meant.filter { $0.id != me }
        guard meant.isEmpty || !found.isEmpty else {
            throw .invalid(faults: [.isSelf])
        }
        guard found.count <= 1 else { throw .ambiguousPeer(candidates: found, at: now) }
        if let person = found.first ?? PeerID(hex: reference.text).map({ KnownPerson(id: $0) }) { return person }
        throw .unknownPeer(text: String(reference.text.prefix(64)))
    }

    /// Marked people first, then the most recently seen.
    private static func ordered(_ people: [KnownPerson]) -> [KnownPerson] {
        people.sorted { one, other in
            if one.isMarked != other.isMarked { return one.isMarked }
            let dates = [one, other].map { $0.lastSeen?.milliseconds ?? 0 }
            return dates[0] != dates[1] ? dates[0] > dates[1] : one.id < other.id
        }
    }
}
