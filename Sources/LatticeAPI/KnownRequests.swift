package import LatticeCore

// Known people: naming, verifying, blocking and muting.

/// Every known person: marked ones first, then by when they were last met.
package struct ListKnownPeople: Request {
    package static let name = "known.people"
    package static let replyName = "known.people"
    package static let traits: RequestTraits = [.repeatable]

    package init() {}

    package struct Reply: Hashable, Codable, Sendable {
        package let people: [KnownPerson]

        package init(_ people: [KnownPerson]) { self.people = people }
    }
}

/// Resolves a reference to a person: somebody met, the author of a stored record, or any whole id.
package struct FindPerson: Request {
    package static let name = "known.find"
    package static let replyName = "known.person"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = KnownPerson

    package let peer: PeerReference

    package init(_ peer: PeerReference) { self.peer = peer }
}

/// The safety number that two people compare by voice.
package struct ShowSafetyNumber: Request {
    package static let name = "known.safetyNumber"
    package static let replyName = "known.safetyNumber"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = SafetyNumberInfo

    package let peer: PeerReference

    package init(_ peer: PeerReference) { self.peer = peer }
}

/// Marks a key as verified, or removes the mark.
package struct VerifyPerson: Request {
    package static let name = "known.verify"
    package static let replyName = "known.person"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = KnownPerson

    package let peer: PeerReference
    @OrTrue package private(set) var isRight: Bool

    package init(_ peer: PeerReference, _ isRight: Bool) {
        self.peer = peer
        _isRight = OrTrue(wrappedValue: isRight)
    }

    private enum CodingKeys: String, CodingKey {
        case peer
        case isRight = "right"
    }
}

/// Adds a contact, by a key of 64 digits or as a known person; `petname` is this person's name for them.
package struct AddContact: Request {
    package static let name = "known.add"
    package static let replyName = "known.person"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = KnownPerson

    package let peer: PeerReference
    @OrNull package private(set) var petname: PeerName?

    package init(_ peer: PeerReference, petname: PeerName?) {
        self.peer = peer
        _petname = OrNull(wrappedValue: petname)
    }
}

/// Forgets somebody and every mark on them. The reply is the person as they were.
package struct RemoveContact: Request {
    package static let name = "known.remove"
    package static let replyName = "known.person"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = KnownPerson

    package let peer: PeerReference

    package init(_ peer: PeerReference) { self.peer = peer }
}

package struct BlockPerson: Request {
    package static let name = "known.block"
    package static let replyName = "known.person"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = KnownPerson

    package let peer: PeerReference
    @OrTrue package private(set) var isBlocked: Bool

    package init(_ peer: PeerReference, _ isBlocked: Bool) {
        self.peer = peer
        _isBlocked = OrTrue(wrappedValue: isBlocked)
    }

    private enum CodingKeys: String, CodingKey {
        case peer
        case isBlocked = "blocked"
    }
}

/// Blocks everybody on a list, at most `KnownLimit.peopleMax` people.
package struct BlockPeople: Request {
    package static let name = "known.blockAll"
    package static let replyName = "known.blocked"
    package static let traits: RequestTraits = [.repeatable]

    package let entries: [BlockEntry]

    package init(_ entries: [BlockEntry]) { self.entries = entries }

    package struct Reply: Hashable, Codable, Sendable {
        /// How many were not blocked before.
        package let new: Int
        /// Whether this person is on the list; people cannot block themselves.
        package let hasSelf: Bool

        package init(new: Int, hasSelf: Bool) {
            (self.new, self.hasSelf) = (new, hasSelf)
        }
    }
}

/// Ignores somebody, or stops ignoring them.
package struct IgnorePerson: Request {
    package static let name = "known.ignore"
    package static let replyName = "known.person"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = KnownPerson

    package let peer: PeerReference
    @OrTrue package private(set) var isIgnored: Bool

    package init(_ peer: PeerReference, _ isIgnored: Bool) {
        self.peer = peer
        _isIgnored = OrTrue(wrappedValue: isIgnored)
    }

    private enum CodingKeys: String, CodingKey {
        case peer
        case isIgnored = "ignored"
    }
}

/// Mutes a room of this mesh, or unmutes it: its lines are stored and not shown.
package struct MuteRoom: Request {
    package static let name = "known.mute"
    package static let replyName = "known.muted"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = MutedRooms

    package let room: RoomName
    @OrTrue package private(set) var isMuted: Bool

    package init(_ room: RoomName, _ isMuted: Bool) {
        self.room = room
        _isMuted = OrTrue(wrappedValue: isMuted)
    }

    private enum CodingKeys: String, CodingKey {
        case room
        case isMuted = "muted"
    }
}

package struct ListMutedRooms: Request {
    package static let name = "known.muted"
    package static let replyName = "known.muted"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = MutedRooms

    package init() {}
}

package struct MutedRooms: Hashable, Codable, Sendable {
    package let rooms: [RoomName]

    package init(_ rooms: [RoomName]) { self.rooms = rooms }
}
