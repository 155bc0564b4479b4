package import LatticeCore

/// Somebody this person has met, added or refused to hear, whatever mesh that was in.
package struct KnownPerson: Hashable, Sendable, Codable {
    package let id: PeerID
    /// What it called itself last; `nil` for whoever was only ever named by id.
    package var name: PeerName?
    /// Since when it calls itself so, as far as anybody here saw.
    package var namedSince: WallTime?
    /// What this person calls it.
    package var petname: PeerName?
    package var firstSeen: WallTime?
    package var lastSeen: WallTime?
    /// Since when its key is known to be the right one.
    package var verified: WallTime?
    /// Since when nothing of it is kept, shown or passed on.
    package var blocked: WallTime?
    /// Since when what it says is passed on and not shown.
    package var ignored: WallTime?
    /// Since when it is a contact by this person's word.
    package var added: WallTime?

    package init(
        id: PeerID, name: PeerName? = nil, namedSince: WallTime? = nil, petname: PeerName? = nil,
        firstSeen: WallTime? = nil, lastSeen: WallTime? = nil, verified: WallTime? = nil, blocked: WallTime? = nil,
        ignored: WallTime? = nil,
        added: WallTime? = nil
    ) {
        self.id = id
        self.name = name
        self.namedSince = namedSince
        self.petname = petname
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.verified = verified
        self.blocked = blocked
        self.ignored = ignored
        self.added = added
    }

    /// Whether this person has said anything of it: it is not forgotten for others, then.
    package var isMarked: Bool {
        verified != nil || blocked != nil || ignored != nil || added != nil || petname != nil
    }
}

package enum KnownLimit {
    /// As many as a mesh keeps presences of.
    package static let peopleMax = 4_096
    package static let mutedMax = 256
}

/// Whom a list blocks, and how it calls them.
package struct BlockEntry: Hashable, Sendable, Codable {
    package let id: PeerID
    package let name: PeerName?

    package init(id: PeerID, name: PeerName?) {
        self.id = id
        self.name = name
    }
}

/// What two people compare; see `/verify`.
package struct SafetyNumberInfo: Hashable, Sendable, Codable {
    package let person: KnownPerson
    /// 12 groups of 5 digits.
    package let groups: [String]
    /// 12 words that say the same.
    package let words: [String]

    package init(person: KnownPerson, groups: [String], words: [String]) {
        self.person = person
        self.groups = groups
        self.words = words
    }
}

/// A key came under a name that looks like the one under which another key is known.
package struct NameClash: Hashable, Sendable, Codable {
    package let newcomer: KnownPerson
    package let known: KnownPerson

    package init(newcomer: KnownPerson, known: KnownPerson) {
        self.newcomer = newcomer
        self.known = known
    }
}

/// What this person has said of others, whom and where not to hear; told whole whenever any of it changes.
package struct Standing: Hashable, Sendable, Codable {
    package var verified: Set<PeerID>
    package var blocked: Set<PeerID>
    package var ignored: Set<PeerID>
    /// Of this mesh.
    package var muted: Set<RoomName>
    /// What this person calls others.
    package var petnames: [PeerID: PeerName]

    package init(
        verified: Set<PeerID> = [], blocked: Set<PeerID> = [], ignored: Set<PeerID> = [], muted: Set<RoomName> = [],
        petnames: [PeerID: PeerName] = [:]
    ) {
        self.petnames = petnames
        self.verified = verified
        self.blocked = blocked
        self.ignored = ignored
        self.muted = muted
    }

    package init(_ people: [KnownPerson], muted: [RoomName]) {
        self.init(
            verified: Set(people.filter { $0.verified != nil }.map(\.id)),
            blocked: Set(people.filter { $0.blocked != nil }.map(\.id)),
            ignored: Set(people.filter { $0.ignored != nil }.map(\.id)), muted: Set(muted),
            petnames: Dictionary(
                people.compactMap { person in person.petname.map { (person.id, $0) } }, uniquingKeysWith: { $1 }))
    }
}
