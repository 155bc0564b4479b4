package import LatticeCore
package import LatticeGeo

// Profiles, who follows whom, and where this person is.

package struct FollowPerson: Request {
    package static let name = "people.follow"
    package static let replyName = "people.person"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = PersonInfo

    package let peer: PeerReference
    @OrTrue package private(set) var follows: Bool

    package init(_ peer: PeerReference, _ follows: Bool) {
        self.peer = peer
        _follows = OrTrue(wrappedValue: follows)
    }
}

/// Follows the people who were here since a time and are not followed yet, the last one seen first; not those whom this person
/// blocked or ignores. The reply is whom.
package struct FollowMet: Request {
    package static let name = "people.followMet"
    package static let replyName = "people.list"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = ListProfiles.Reply

    package let since: WallTime

    /// Each follow is a record.
    package static let peopleMax = 100

    package init(since: WallTime) { self.since = since }
}

/// Somebody's profile; without a peer, this person's.
package struct ShowProfile: Request {
    package static let name = "people.profile"
    package static let replyName = "people.person"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = PersonInfo

    @OrNull package private(set) var peer: PeerReference?

    package init(_ peer: PeerReference? = nil) {
        _peer = OrNull(wrappedValue: peer)
    }
}

/// Changes to this person's profile; `nil` leaves a field as it is.
package struct ProfileChange: Request, BringsPhoto {
    package static let name = "people.setProfile"
    package static let replyName = "people.person"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = PersonInfo

    package var name: PeerName?
    package var about: String?
    package var colour: Colour?
    package var photo: PhotoChange?
    /// What the photo shows, for those who do not see it. Without a new photo it is that of the old one.
    package var alt: String?

    package var photoSource: PhotoSource? {
        guard case .new(let source) = photo else { return nil }
        return source
    }

    package init(
        name: PeerName? = nil, about: String? = nil, colour: Colour? = nil, photo: PhotoChange? = nil,
        alt: String? = nil
    ) {
        self.name = name
        self.about = about
        self.colour = colour
        (self.photo, self.alt) = (photo, alt)
    }
}

/// Everybody with a profile; those this person follows come first.
package struct ListProfiles: Request {
    package static let name = "people.list"
    package static let replyName = "people.list"
    package static let traits: RequestTraits = [.repeatable]

    package init() {}

    package struct Reply: Hashable, Codable, Sendable {
        package let people: [PersonInfo]

        package init(_ people: [PersonInfo]) { self.people = people }
    }
}

package struct ShowHere: Request {
    package static let name = "posts.here"
    package static let replyName = "posts.here"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Here

    package init() {}
}

/// Sets where this person is, on this machine alone; `nil` forgets it.
package struct SetHere: Request {
    package static let name = "posts.setHere"
    package static let replyName = "posts.here"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Here

    @OrNull package private(set) var place: Coordinate?

    package init(_ place: Coordinate?) {
        _place = OrNull(wrappedValue: place)
    }
}

package struct Here: Hashable, Codable, Sendable {
    /// `nil` if no place is set.
    @OrNull package private(set) var place: Coordinate?

    package init(_ place: Coordinate?) {
        _place = OrNull(wrappedValue: place)
    }
}
