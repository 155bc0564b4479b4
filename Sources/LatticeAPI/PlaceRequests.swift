package import LatticeCore
package import LatticeGeo

// Places that have names: a kitchen, a tap, a stage. Everybody may make them.

/// A named place by id, by name, or by names from the outside in, as in `Camp/Kitchen`. Case and accents do not count. Of several
/// places with one name it is the nearest.
package struct PlaceReference: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// The fields of a place. A new place needs a name; in an edit `nil` leaves a field as it is.
package struct PlaceDraft: Hashable, Sendable, Codable {
    package var name: String?
    /// `nil` in a new place is where this person is.
    package var at: Coordinate?
    /// Such as `kitchen`, `water` or `first aid`; any word will do.
    package var category: String?
    /// When it is open, in words.
    package var hours: String?
    package var text: String?
    /// The place that it is part of. Only a new place takes one.
    package var partOf: PlaceReference?
    /// Who may edit it besides its author. Only a new place takes them.
    package var editors: [PeerReference]?
    package var photo: PhotoSource?
    /// What the photo shows, for those who do not see it. In an edit without a new photo it is that of the old one.
    package var alt: String?

    package init(
        name: String? = nil, at: Coordinate? = nil, category: String? = nil, hours: String? = nil, text: String? = nil,
        partOf: PlaceReference? = nil, editors: [PeerReference]? = nil, photo: PhotoSource? = nil, alt: String? = nil
    ) {
        (self.name, self.at, self.category, self.hours, self.text) = (name, at, category, hours, text)
        (self.partOf, self.editors, self.photo, self.alt) = (partOf, editors, photo, alt)
    }
}

/// Makes a place.
///
/// - Throws: `similarPlaces` if one is within 30 m and the new one is no part of a place, or if one with such a name is within 250 m;
///   not if `anyway` is set.
package struct CreatePlace: Request, BringsPhoto {
    package static let name = "posts.createPlace"
    package static let replyName = "posts.item"
    package typealias Reply = ItemInfo

    package let place: PlaceDraft
    @CodedFlag package var anyway: Bool

    package var photoSource: PhotoSource? { place.photo }

    package init(_ place: PlaceDraft, anyway: Bool = false) {
        self.place = place
        self.anyway = anyway
    }
}

/// Changes a place of this person's, or one that names this person as an editor.
package struct EditPlace: Request, NamesItem, BringsPhoto {
    package static let name = "posts.editPlace"
    package static let replyName = "posts.item"
    package typealias Reply = ItemInfo

    package var item: ItemReference
    package let place: PlaceDraft

    package var photoSource: PhotoSource? { place.photo }

    package init(_ item: ItemReference, _ place: PlaceDraft) {
        (self.item, self.place) = (item, place)
    }
}

/// The place that a name means.
///
/// - Throws: `unknownPlace`.
package struct FindPlace: Request {
    package static let name = "posts.findPlace"
    package static let replyName = "posts.item"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = ItemInfo

    package let place: PlaceReference

    package init(_ place: PlaceReference) { self.place = place }
}

/// Places around a coordinate, nearest first; the newest first if this person has set no place; or the parts of a place.
/// Without `partOf`, `category` and `within`, places that the card of the mesh names come before them, at most 16.
///
/// - Throws: `unknownPlace`.
package struct ListPlaces: Request {
    package static let name = "posts.places"
    package static let replyName = "posts.page"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = ItemPage

    /// Only the parts of this place, newest first.
    package var partOf: PlaceReference?
    /// Only places of this kind; case does not count.
    package var category: String?
    /// `nil` is where this person is.
    package var centre: Coordinate?
    /// Metres from the centre; `nil` is `PostLimit.searchMax`.
    package var within: Double?
    package var page: PageRequest

    package init(
        partOf: PlaceReference? = nil, category: String? = nil, centre: Coordinate? = nil, within: Double? = nil,
        page: PageRequest = PageRequest()
    ) {
        (self.partOf, self.category, self.centre, self.within, self.page) = (partOf, category, centre, within, page)
    }
}

/// A place that may be the one that somebody wants to make.
package struct SimilarPlace: Hashable, Sendable, Codable {
    package let id: RecordID
    package let short: String
    /// As its author wrote it; not yet made safe for a screen.
    package let name: String
    package let metres: Double

    package init(id: RecordID, short: String, name: String, metres: Double) {
        (self.id, self.short, self.name, self.metres) = (id, short, name, metres)
    }
}
