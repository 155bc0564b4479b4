package import LatticeCore
package import LatticeGeo

/// What a front may ask of the wall: posts at places, what is said of them, people and events. Each case names the
/// `WallAnswer` it gets. What is written is signed, stored, and then sent to whoever is there.
package enum WallRequest: Hashable, Sendable {
    /// Leaves a message at a place. Answer: `item`.
    case post(NewPost)
    /// Answer: `item`, the comment.
    case comment(on: ItemReference, text: String)
    /// Likes it, or does no more; to say either twice changes nothing. Answer: `item`, with its new count.
    case like(ItemReference, Bool)
    /// Takes back what is one's own, or a comment on what is one's own. Answer: `item`, as what is left of it.
    case delete(ItemReference)
    /// Another text for one's own post, comment or event. Answer: `item`.
    case edit(ItemReference, text: String)
    /// What was left around a place, nearest first. Answer: `page`.
    case near(NearQuery)
    /// One item with what was said of it, oldest first. Answer: `detail`.
    case show(ItemReference, from: Coordinate?)
    /// One's own posts and those of whom one follows, newest first. Answer: `page`.
    case timeline(PageRequest)
    /// What others did to what is one's own, newest first. Answer: `activity`.
    case activity(PageRequest)
    /// Answer: `person`.
    case follow(PeerReference, Bool)
    /// Somebody's profile; `nil` is one's own. Answer: `person`.
    case profile(PeerReference?)
    /// Answer: `person`.
    case setProfile(ProfileChange)
    /// Answer: `people`, everybody with a profile, those one follows first.
    case people
    /// Answer: `item`.
    case createEvent(EventDraft)
    /// Answer: `item`.
    case editEvent(ItemReference, EventDraft)
    /// Says that one comes, or does not. Answer: `item`.
    case attend(ItemReference, Bool)
    /// Posts and events in whose text, name or place all of the words stand; newest first, or nearest first around a
    /// place. Answer: `page`.
    case search(SearchQuery)
    /// Where one is. Answer: `here`.
    case here
    /// Says where one is, on this machine alone; `nil` forgets it. Answer: `here`.
    case setHere(Coordinate?)
    /// Answer: `stats`.
    case storeStats
    /// Reads everything and says what is wrong. Answer: `check`.
    case storeCheck
    /// Makes everything derived anew from the signed records; where no other process has it open and it is damaged, in a new
    /// file from what verifies. Answer: `rebuilt`.
    case storeRebuild
    /// Gives space back to the file system. Answer: `vacuumed`.
    case storeVacuum
    /// What of others' records this machine keeps. Answer: `keepRule`.
    case keepRule
    /// Takes the place of the rule before it. Answer: `keepRule`.
    case setKeepRule(KeepRule)
    /// Writes signed records to a file that another store reads. Answer: `exported`.
    case exportBundle(path: String, BundleSelection)
    /// Reads such a file; every record is verified. Answer: `imported`.
    case importBundle(path: String)
}

/// What a front gets for a `WallRequest`.
package enum WallAnswer: Hashable, Sendable {
    case item(ItemInfo)
    case detail(ItemDetail)
    case page(ItemPage)
    case activity(ActivityPage)
    case person(PersonInfo)
    case people([PersonInfo])
    case here(Coordinate?)
    case stats(StoreStats)
    case check(StoreCheck)
    case rebuilt(StoreRebuild)
    /// The size of the file before and after, in bytes.
    case vacuumed(before: Int, after: Int)
    case keepRule(KeepRule)
    case exported(records: Int, bytes: Int)
    case imported(ImportReport)
}

/// The id of a post, comment or event, or as many of its first hexadecimal digits as make it unambiguous, four at least.
package struct ItemReference: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// Somebody by id, by short id, by name, or by both as in `bob#k7f3`.
package struct PeerReference: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(_ id: PeerID) {
        self.init(id.hex)
    }

    /// Who is meant, where it is a whole id.
    package var id: PeerID? { PeerID(hex: text) }
}

/// Limits and choices of the wall, those of the systems it grew from.
package enum WallLimit {
    /// Grapheme clusters of a post or comment; settable up to `textClustersRange`.
    package static let textClusters = 140
    package static let textClustersRange = 1...1_000
    /// How near one has to be to read, in metres; the choices that a front offers.
    package static let radiusChoices: [Double] = [250, 2_000, 5_000]
    package static let radius: Double = 2_000
    /// Metres.
    package static let searchMax: Double = 100_000
    package static let pageSize = 20
    package static let pageSizeRange = 1...100
    package static let postLifetime: Duration = .seconds(30 * 86_400)
    /// One minute to one year, as any record.
    package static let lifetimeRange: ClosedRange<Duration> = .seconds(60)...(.seconds(31_536_000))
}

/// A message to be left at a place.
package struct NewPost: Hashable, Sendable, Codable {
    package var text: String
    /// `nil` is where one is.
    package var at: Coordinate?
    package var placeName: String?
    /// `nil` is `WallLimit.postLifetime`.
    @InSeconds package var lifetime: Duration?
    /// Characters of the geohash to which the place is cut before signing, 1–12; `nil` leaves it exact.
    package var blur: Int?

    package init(
        text: String, at: Coordinate? = nil, placeName: String? = nil, lifetime: Duration? = nil, blur: Int? = nil
    ) {
        self.text = text
        self.at = at
        self.placeName = placeName
        self.lifetime = lifetime
        self.blur = blur
    }
}

/// What is to be said of an event. For a new one name, place and start are required; in an edit `nil` leaves a thing as
/// it is.
package struct EventDraft: Hashable, Sendable, Codable {
    package var name: String?
    package var at: Coordinate?
    package var starts: WallTime?
    package var ends: WallTime?
    package var address: String?
    package var text: String?
    package var blur: Int?

    package init(
        name: String? = nil, at: Coordinate? = nil, starts: WallTime? = nil, ends: WallTime? = nil,
        address: String? = nil, text: String? = nil, blur: Int? = nil
    ) {
        self.name = name
        self.at = at
        self.starts = starts
        self.ends = ends
        self.address = address
        self.text = text
        self.blur = blur
    }
}

/// Changes to one's own profile; `nil` leaves a thing as it is.
package struct ProfileChange: Hashable, Sendable, Codable {
    package var name: PeerName?
    package var about: String?
    package var colour: Colour?

    package init(name: PeerName? = nil, about: String? = nil, colour: Colour? = nil) {
        self.name = name
        self.about = about
        self.colour = colour
    }
}

/// Where a page ends and the next begins; a front hands it back as it came.
package struct PageCursor: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// A page of a list.
package struct PageRequest: Hashable, Sendable, Codable {
    /// 1–100.
    package var limit: Int
    package var after: PageCursor?

    package init(limit: Int = WallLimit.pageSize, after: PageCursor? = nil) {
        self.limit = limit
        self.after = after
    }
}

/// What to look for around a place.
package struct NearQuery: Hashable, Sendable, Codable {
    package enum What: String, Hashable, Sendable, CodedAsWord {
        case posts
        case events
    }

    package var what: What
    /// `nil` is where one is.
    package var centre: Coordinate?
    /// Metres within which posts can be read, up to `WallLimit.searchMax`. Posts are listed as far as `searchMax`, events
    /// within this radius alone.
    package var radius: Double
    /// Nothing older.
    package var since: WallTime?
    package var page: PageRequest

    package init(
        _ what: What, centre: Coordinate?, radius: Double = WallLimit.radius, since: WallTime? = nil,
        page: PageRequest = PageRequest()
    ) {
        self.what = what
        self.centre = centre
        self.radius = radius
        self.since = since
        self.page = page
    }
}

/// Words to look for. What one is too far away from to read is not searched.
package struct SearchQuery: Hashable, Sendable, Codable {
    package var words: String
    /// Nearest first around here; `nil` is newest first, wherever.
    package var near: Coordinate?
    /// Metres within which posts can be read, up to `WallLimit.searchMax`.
    package var radius: Double
    package var page: PageRequest

    package init(
        words: String, near: Coordinate? = nil, radius: Double = WallLimit.radius, page: PageRequest = PageRequest()
    ) {
        self.words = words
        self.near = near
        self.radius = radius
        self.page = page
    }
}

/// Which records go into a bundle; all conditions hold at once.
package struct BundleSelection: Hashable, Sendable, Codable {
    /// Within so many metres of a place.
    package struct Around: Hashable, Sendable, Codable {
        package var centre: Coordinate
        package var radius: Double

        package init(centre: Coordinate, radius: Double) {
            self.centre = centre
            self.radius = radius
        }
    }

    /// Posts and events there, with everything that is about them and their authors' profiles.
    package var around: Around?
    package var since: WallTime?
    package var author: PeerReference?

    package init(around: Around? = nil, since: WallTime? = nil, author: PeerReference? = nil) {
        self.around = around
        self.since = since
        self.author = author
    }
}
