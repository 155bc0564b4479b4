package import LatticeCore
package import LatticeGeo

// Posts at places, comments and reactions, events, and profiles. Each record is signed, stored, and then sent to everybody
// connected.

/// A request about one item. A front may accept other names for it, such as its number in a list.
package protocol NamesItem: Request {
    var item: ItemReference { get set }
}

package struct NewPost: Request, BringsPhoto {
    package static let name = "posts.create"
    package static let replyName = "posts.item"
    package typealias Reply = ItemInfo

    package var text: String
    /// `nil` is where this person is.
    package var at: Coordinate?
    package var placeName: String?
    /// `nil` is `PostLimit.postLifetime`.
    @InSeconds package var lifetime: Duration?
    /// Characters of the geohash to which the place is cut before signing, 1–12; `nil` leaves it exact.
    package var blur: Int?
    /// It goes before other records everywhere. Three lines and posts in 24 hours do; the reply says whether this one does.
    @CodedFlag package var isUrgent: Bool
    package var photo: PhotoSource?
    /// What the photo shows, for those who do not see it.
    package var alt: String?
    /// The named place where it is.
    package var atPlace: RecordID?
    /// It can be read only from within this many metres, 5–100,000; `nil` leaves that to the readers.
    package var unlockMetres: Int?

    package var photoSource: PhotoSource? { photo }

    package init(
        text: String, at: Coordinate? = nil, placeName: String? = nil, lifetime: Duration? = nil, blur: Int? = nil,
        isUrgent: Bool = false, photo: PhotoSource? = nil, alt: String? = nil, atPlace: RecordID? = nil,
        unlockMetres: Int? = nil
    ) {
        (self.atPlace, self.unlockMetres) = (atPlace, unlockMetres)
        (self.photo, self.alt) = (photo, alt)
        self.isUrgent = isUrgent
        self.text = text
        self.at = at
        self.placeName = placeName
        self.lifetime = lifetime
        self.blur = blur
    }
}

/// Comments on a post or an event. The reply is the comment.
package struct NewComment: Request, NamesItem {
    package static let name = "posts.comment"
    package static let replyName = "posts.item"
    package typealias Reply = ItemInfo

    package var item: ItemReference
    package let text: String

    package init(on item: ItemReference, text: String) {
        (self.item, self.text) = (item, text)
    }

    private enum CodingKeys: String, CodingKey {
        case item = "on"
        case text
    }
}

/// Likes an item, or takes the like back. The reply has the new count.
package struct LikeItem: Request, NamesItem {
    package static let name = "posts.like"
    package static let replyName = "posts.item"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = ItemInfo

    package var item: ItemReference
    @OrTrue package private(set) var likes: Bool

    package init(_ item: ItemReference, _ likes: Bool) {
        self.item = item
        _likes = OrTrue(wrappedValue: likes)
    }
}

/// Deletes one of this person's items, or a comment on one. The reply is what is left of it.
package struct DeleteItem: Request, NamesItem {
    package static let name = "posts.delete"
    package static let replyName = "posts.item"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = ItemInfo

    package var item: ItemReference

    package init(_ item: ItemReference) { self.item = item }
}

/// Changes one of this person's posts, comments or events; `nil` leaves a part as it is.
///
/// - Throws: `invalid` if nothing changes, or a comment gets a photo.
package struct EditItem: Request, NamesItem, BringsPhoto {
    package static let name = "posts.edit"
    package static let replyName = "posts.item"
    package typealias Reply = ItemInfo

    package var item: ItemReference
    package let text: String?
    package let photo: PhotoChange?
    /// What the photo shows, for those who do not see it. Without a new photo it is that of the old one.
    package let alt: String?

    package var photoSource: PhotoSource? {
        guard case .new(let source) = photo else { return nil }
        return source
    }

    package init(_ item: ItemReference, text: String? = nil, photo: PhotoChange? = nil, alt: String? = nil) {
        (self.item, self.text, self.photo, self.alt) = (item, text, photo, alt)
    }
}

/// Posts and events around a place, nearest first.
package struct NearQuery: Request {
    package static let name = "posts.near"
    package static let replyName = "posts.page"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = ItemPage

    package enum What: String, Hashable, Sendable, CodedAsWord {
        case posts
        case events
    }

    package enum Order: String, Hashable, Sendable, CodedAsWord {
        case closest
        /// Nothing beyond the radius is listed.
        case newest
    }

    /// Of more items than this within the radius, `newest` sorts the closest.
    package static let sortedMax = 1_000

    package var what: What
    /// `nil` is where this person is.
    package var centre: Coordinate?
    /// Where the reader is while looking at another part of the map: decides what can be read, and distances are from
    /// there. `nil` is the centre.
    package var reader: Coordinate?
    /// Metres within which posts can be read, up to `PostLimit.searchMax`.
    package var radius: Double
    /// Nothing further from the centre than this, in metres. `nil` is `searchMax` for posts and the radius for events.
    package var within: Double?
    /// Nothing older.
    package var since: WallTime?
    /// `nil` is `closest`.
    package var order: Order?
    package var page: PageRequest

    package init(
        _ what: What, centre: Coordinate?, reader: Coordinate? = nil, radius: Double = PostLimit.radius,
        within: Double? = nil, since: WallTime? = nil, order: Order? = nil, page: PageRequest = PageRequest()
    ) {
        self.what = what
        self.centre = centre
        self.reader = reader
        self.radius = radius
        self.within = within
        self.since = since
        self.order = order
        self.page = page
    }
}

/// Posts and events whose text, name or place has all the words; newest first, or nearest first around a place. Posts that
/// are too far away to read are not searched.
package struct SearchQuery: Request {
    package static let name = "posts.search"
    package static let replyName = "posts.page"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = ItemPage

    package var words: String
    /// Nearest first around this place; `nil` is newest first, anywhere.
    package var near: Coordinate?
    /// Metres within which posts can be read, up to `PostLimit.searchMax`.
    package var radius: Double
    package var page: PageRequest

    package init(
        words: String, near: Coordinate? = nil, radius: Double = PostLimit.radius, page: PageRequest = PageRequest()
    ) {
        self.words = words
        self.near = near
        self.radius = radius
        self.page = page
    }
}

/// One item with its comments, oldest first.
package struct ShowItem: Request, NamesItem {
    package static let name = "posts.show"
    package static let replyName = "posts.detail"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = ItemDetail

    package var item: ItemReference
    /// The reader's place; `nil` is where this person is.
    @OrNull package private(set) var from: Coordinate?

    package init(_ item: ItemReference, from: Coordinate? = nil) {
        self.item = item
        _from = OrNull(wrappedValue: from)
    }
}

/// Posts and events by this person and those they follow, or by one person; newest first.
///
/// - Throws: `unknownPeer`, `ambiguousPeer`.
package struct ListTimeline: Request {
    package static let name = "posts.timeline"
    package static let replyName = "posts.page"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = ItemPage

    package let page: PageRequest
    /// Whose posts and events; `nil` is this person and those they follow.
    package let author: PeerReference?
    /// Only what has a photo that can be seen from here. Counts with an author only.
    package let onlyPhotos: Bool
    /// Where the reader is, as in `ShowItem`. Counts with an author only.
    package let from: Coordinate?

    package init(
        _ page: PageRequest = PageRequest(), by author: PeerReference? = nil, onlyPhotos: Bool = false,
        from place: Coordinate? = nil
    ) {
        (self.page, self.author, self.onlyPhotos, from) = (page, author, onlyPhotos, place)
    }

    private enum CodingKeys: String, CodingKey {
        case author
        case from
        case onlyPhotos = "photos"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try PageRequest(from: decoder), by: try fields.decodeIfPresent(PeerReference.self, forKey: .author),
            onlyPhotos: try fields.decodeIfPresent(Bool.self, forKey: .onlyPhotos) ?? false,
            from: try fields.decodeIfPresent(Coordinate.self, forKey: .from))
    }

    package func encode(to encoder: any Encoder) throws {
        try page.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(author, forKey: .author)
        if onlyPhotos { try fields.encode(true, forKey: .onlyPhotos) }
        try fields.encodeIfPresent(from, forKey: .from)
    }
}
