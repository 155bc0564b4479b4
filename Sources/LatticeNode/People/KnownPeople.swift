package import LatticeAPI
import LatticeCore

/// Everybody a person has met, and the marks they gave them.
package struct KnownPeople: Equatable {
    /// A room of a mesh that is stored but not shown.
    struct Muted: Hashable {
        let mesh: MeshName
        let room: RoomName
    }

    /// What meeting somebody reveals.
    struct Meeting: Equatable {
        /// Somebody else is known by that name.
        var clash: NameClash?
        /// Its last name, if that was different.
        var was: PeerName?
        /// Something has to be saved.
        var isNews = false
    }

    /// The last-seen date is saved this often.
    private static let seenInterval: Int64 = 60_000

    private struct Entry: Equatable {
        var person: KnownPerson
        /// Numbers people in the order they were first noted.
        let number: Int
        /// How the name and the petname look; to compute one takes as long as sealing a message.
        let skeletons: Skeletons

        init(_ person: KnownPerson, number: Int) {
            (self.person, self.number) = (person, number)
            skeletons = Skeletons(person)
        }
    }

    private struct Skeletons: Equatable {
        let name: String?
        let petname: String?

        init(_ person: KnownPerson) {
            (name, petname) = (person.name?.skeleton, person.petname?.skeleton)
        }

        var all: Set<String> { Set([name, petname].compactMap(\.self)) }
    }

    /// How well a person's name is established: verified keys first, then the person who has had the name longest.
    private struct Seniority: Comparable, Sendable {
        let isUnverified: Bool
        let namedSince: WallTime
        let id: PeerID

        init(_ person: KnownPerson) {
            isUnverified = person.verified == nil
            namedSince = person.namedSince ?? person.added ?? WallTime(milliseconds: .max)
            id = person.id
        }

        static func < (one: Seniority, other: Seniority) -> Bool {
            if one.isUnverified != other.isUnverified { return other.isUnverified }
            return (one.namedSince, one.id) < (other.namedSince, other.id)
        }
    }

    private var people: [PeerID: Entry] = [:]
    private var nextNumber = 0
    /// People who are not blocked, by the skeleton of their name or petname.
    private var holders: [String: NameHolders<Seniority>] = [:]
    /// `nil` until too many people are known.
    private var forgetting: ForgettingOrder?
    private(set) var muted: [Muted] = []

    package init() {}

    package static func == (one: KnownPeople, other: KnownPeople) -> Bool {
        one.all == other.all && one.muted == other.muted
    }

    /// In the order they were first noted.
    package var all: [KnownPerson] {
        people.values.sorted { $0.number < $1.number }.map(\.person)
    }
    var count: Int { people.count }
    var blocked: Set<PeerID> { Set(people.values.lazy.map(\.person).filter { $0.blocked != nil }.map(\.id)) }

    subscript(_ peer: PeerID) -> KnownPerson? { people[peer]?.person }

    // MARK: - Meeting

    /// A peer is here or wrote something under this name.
    mutating func met(_ peer: PeerID, _ name: PeerName, at now: WallTime) -> Meeting {
        if let entry = people[peer], entry.person.name == name { return met(again: entry, at: now) }
        let before = people[peer]?.person
        var person = before ?? KnownPerson(id: peer)
        person.firstSeen = person.firstSeen ?? now
        if person.name != name {
            person.name = name
            person.namedSince = now
        }
        person.lastSeen = max(person.lastSeen ?? now, now)
        let clash =
            person.blocked == nil ? clash(of: person, name.skeleton, calledBefore: before?.name?.skeleton) : nil
        _ = put(person)
        return Meeting(clash: clash, was: before?.name, isNews: true)
    }

    /// The common case: nothing changes but the date.
    private mutating func met(again entry: Entry, at now: WallTime) -> Meeting {
        var person = entry.person
        let isNews = person.lastSeen.map { $0.milliseconds + Self.seenInterval <= now.milliseconds } ?? true
        person.firstSeen = person.firstSeen ?? now
        person.lastSeen = max(person.lastSeen ?? now, now)
        people[person.id]?.person = person
        noteForForgetting(person)
        guard person.blocked == nil, let skeleton = entry.skeletons.name else { return Meeting(isNews: isNews) }
        return Meeting(clash: clash(of: person, skeleton, calledBefore: skeleton), isNews: isNews)
    }

    /// Who else is known by that name. The clash names the one who may be mistaken for the other: the unverified one, or
    /// the one who took the name later.
    private func clash(of person: KnownPerson, _ skeleton: String, calledBefore: String?) -> NameClash? {
        guard let ranks = holders[skeleton]?.ranks,
            let best = ranks.first(where: { $0.id != person.id }), let known = people[best.id]?.person
        else { return nil }
        let isNewToIt = calledBefore != skeleton
        guard isNewToIt && person.verified == nil || best < Seniority(person) else { return nil }
        return NameClash(newcomer: person, known: known)
    }

    // MARK: - What is said of them

    /// When too many people are known, the unmarked person known for the shortest time is forgotten: a crowd of made-up keys
    /// pushes out itself, not old acquaintances.
    ///
    /// - Returns: `false` if there is no space, as everybody is marked.
    mutating func put(_ person: KnownPerson) -> Bool {
        var number = nextNumber
        if let before = people[person.id] {
            number = before.number
            unlist(before)
        } else {
            if people.count >= KnownLimit.peopleMax, !forgetOne() { return false }
            nextNumber += 1
        }
        let entry = Entry(person, number: number)
        people[person.id] = entry
        if person.blocked == nil {
            for skeleton in entry.skeletons.all { holders[skeleton, default: .init()].insert(Seniority(person)) }
        }
        noteForForgetting(person)
        return true
    }

    mutating func remove(_ peer: PeerID) {
        guard let gone = people.removeValue(forKey: peer) else { return }
        unlist(gone)
    }

    private mutating func forgetOne() -> Bool {
        var order = forgetting.take() ?? ForgettingOrder(ranksNow)
        let first = order.takeFirst { rank in
            people[rank.id].map { !$0.person.isMarked && Self.rank(of: $0.person) == rank } ?? false
        }
        forgetting = order
        guard let first else { return false }
        remove(first.id)
        return true
    }

    private mutating func noteForForgetting(_ person: KnownPerson) {
        guard let count = forgetting?.count, !person.isMarked else { return }
        // At least half of it is stale.
        if count >= 2 * KnownLimit.peopleMax {
            forgetting = ForgettingOrder(ranksNow)
        } else {
            forgetting?.insert(Self.rank(of: person))
        }
    }

    private var ranksNow: [ForgettingOrder.Rank] {
        people.values.filter { !$0.person.isMarked }.map { Self.rank(of: $0.person) }
    }

    private static func rank(of person: KnownPerson) -> ForgettingOrder.Rank {
        ForgettingOrder.Rank(
            knownForMilliseconds: (person.lastSeen?.milliseconds ?? 0) - (person.firstSeen?.milliseconds ?? 0),
            firstSeen: person.firstSeen?.milliseconds ?? 0, id: person.id)
    }

    private mutating func unlist(_ entry: Entry) {
        guard entry.person.blocked == nil else { return }
        for skeleton in entry.skeletons.all {
            holders[skeleton]?.remove(Seniority(entry.person))
            if holders[skeleton]?.isEmpty == true { holders[skeleton] = nil }
        }
    }

    /// - Returns: whether there was space.
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
