package import LatticeAPI
import LatticeCore
import OrderedCollections

/// Everybody whom a person has met, and what they said of them: a key belongs to the name it came under first.
package struct KnownPeople: Equatable {
    /// A room of a mesh that is kept and not shown.
    struct Muted: Hashable {
        let mesh: MeshName
        let room: RoomName
    }

    /// What meeting somebody tells.
    struct Meeting: Equatable {
        /// Somebody else is known under that name.
        var clash: NameClash?
        /// What it called itself the last time, if that was another name.
        var was: PeerName?
        /// There is something to be written down.
        var isNews = false
    }

    /// When somebody was seen last is written down this often.
    private static let seenInterval: Int64 = 60_000

    private var people: OrderedDictionary<PeerID, KnownPerson> = [:]
    /// Who is known under a name that looks so.
    private var holders: [String: [PeerID]] = [:]
    private(set) var muted: [Muted] = []

    package var all: [KnownPerson] { Array(people.values) }
    var blocked: Set<PeerID> { Set(people.values.lazy.filter { $0.blocked != nil }.map(\.id)) }

    subscript(_ peer: PeerID) -> KnownPerson? { people[peer] }

    // MARK: - Meeting

    /// Somebody is here, or said something, and calls itself so.
    mutating func met(_ peer: PeerID, _ name: PeerName, at now: WallTime) -> Meeting {
        let before = people[peer]
        var person = before ?? KnownPerson(id: peer)
        person.firstSeen = person.firstSeen ?? now
        if person.name != name {
            person.name = name
            person.namedSince = now
        }
        let isSeen = person.lastSeen.map { $0.milliseconds + Self.seenInterval <= now.milliseconds } ?? true
        person.lastSeen = max(person.lastSeen ?? now, now)
        let clash = person.blocked == nil ? clash(of: person, calledBefore: before?.name) : nil
        _ = put(person)
        let was = before?.name.flatMap { $0 == name ? nil : $0 }
        return Meeting(clash: clash, was: was, isNews: isSeen || before?.name != name)
    }

    /// Whoever was known under that name before. Of two who both are it is told of the one that may be taken for the other: whose key nobody
    /// verified, or who took the name later.
    private func clash(of person: KnownPerson, calledBefore: PeerName?) -> NameClash? {
        guard let skeleton = person.name?.skeleton else { return nil }
        let others = holders[skeleton, default: []].compactMap { people[$0] }.filter {
            $0.id != person.id && $0.blocked == nil
        }
        guard let known = others.min(by: Self.isBetterKnown) else { return nil }
        let isNewToIt = calledBefore?.skeleton != skeleton
        guard isNewToIt && person.verified == nil || Self.isBetterKnown(known, person) else { return nil }
        return NameClash(newcomer: person, known: known)
    }

    private static func isBetterKnown(_ one: KnownPerson, _ other: KnownPerson) -> Bool {
        if (one.verified != nil) != (other.verified != nil) { return one.verified != nil }
        let dates = [one, other].map { $0.namedSince ?? $0.added ?? WallTime(milliseconds: .max) }
        return (dates[0], one.id) < (dates[1], other.id)
    }

    // MARK: - What is said of them

    /// - Returns: whether there was room: of those nobody said anything of, who is known for the shortest time makes it, so that a crowd
    ///   of made-up keys pushes out one another and not who is known for long.
    mutating func put(_ person: KnownPerson) -> Bool {
        if let before = people[person.id] {
            unlist(before)
        } else if people.count >= KnownLimit.peopleMax {
            guard let shortest = people.values.filter({ !$0.isMarked }).min(by: Self.isMoreFleeting) else {
                return false
            }
            remove(shortest.id)
        }
        people[person.id] = person
        for skeleton in Self.skeletons(of: person) { holders[skeleton, default: []].append(person.id) }
        return true
    }

    mutating func remove(_ peer: PeerID) {
        guard let gone = people.removeValue(forKey: peer) else { return }
        unlist(gone)
    }

    private static func isMoreFleeting(_ one: KnownPerson, _ other: KnownPerson) -> Bool {
        func known(_ person: KnownPerson) -> Int64 {
            (person.lastSeen?.milliseconds ?? 0) - (person.firstSeen?.milliseconds ?? 0)
        }
        return (known(one), one.firstSeen?.milliseconds ?? 0, one.id)
            < (known(other), other.firstSeen?.milliseconds ?? 0, other.id)
    }

    private mutating func unlist(_ person: KnownPerson) {
        for skeleton in Self.skeletons(of: person) {
            holders[skeleton]?.removeAll { $0 == person.id }
            if holders[skeleton]?.isEmpty == true { holders[skeleton] = nil }
        }
    }

    private static func skeletons(of person: KnownPerson) -> Set<String> {
        Set([person.name, person.petname].compactMap { $0?.skeleton })
    }

    /// - Returns: whether there was room.
    mutating func mute(_ room: RoomName, in mesh: MeshName, _ isMuted: Bool) -> Bool {
        let entry = Muted(mesh: mesh, room: room)
        muted.removeAll { $0 == entry }
        guard isMuted else { return true }
        guard muted.count < KnownLimit.mutedMax else { return false }
        muted.append(entry)
        return true
    }

    func muted(in mesh: MeshName) -> [RoomName] {
        muted.filter { $0.mesh == mesh }.map(\.room)
    }
}
