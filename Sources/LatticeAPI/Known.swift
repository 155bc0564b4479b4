package import LatticeCore

/// Somebody this person has met, added or blocked, in any mesh.
package struct KnownPerson: Hashable, Sendable, Codable {
    package let id: PeerID
    /// The last name it used for itself; `nil` if it was only ever given by id.
    package var name: PeerName?
    /// Since when it has used that name, as far as is known here.
    package var namedSince: WallTime?
    /// This person's name for it.
    package var petname: PeerName?
    package var firstSeen: WallTime?
    package var lastSeen: WallTime?
    package var verified: WallTime?
    /// When it was blocked: nothing of it is stored, shown or forwarded.
    package var blocked: WallTime?
    /// When it was ignored: its lines are forwarded and not shown.
    package var ignored: WallTime?
    /// When this person added it as a contact.
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

    /// Whether this person has marked it in any way. A marked peer is never dropped to make space for others.
    package var isMarked: Bool {
        verified != nil || blocked != nil || ignored != nil || added != nil || petname != nil
    }
}

package enum KnownLimit {
    /// As many as the presences that a mesh keeps.
    package static let peopleMax = 4_096
    /// People whom one visitor marks. There may be 10,000 accounts.
    package static let visitorsPeopleMax = 512
    package static let mutedMax = 256
}

/// A peer on a block list, with the list's name for it.
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
    /// 12 words that encode the same number.
    package let words: [String]

    package init(person: KnownPerson, groups: [String], words: [String]) {
        self.person = person
        self.groups = groups
        self.words = words
    }
}

/// An unknown key uses a name that looks like the name of a known key.
package struct NameClash: Hashable, Sendable, Codable {
    package let newcomer: KnownPerson
    package let known: KnownPerson

    package init(newcomer: KnownPerson, known: KnownPerson) {
        self.newcomer = newcomer
        self.known = known
    }
}

/// This person's marks on peers and rooms; sent whole whenever one changes.
package struct ContactMarks: Hashable, Sendable, Codable {
    package var verified: Set<PeerID>
    package var blocked: Set<PeerID>
    package var ignored: Set<PeerID>
    /// Muted rooms of this mesh.
    package var muted: Set<RoomName>
    /// This person's names for others.
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

    /// Those whose lines, private messages and posts a front does not show.
    package var unheard: Set<PeerID> { ignored.union(blocked) }
}
