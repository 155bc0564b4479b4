package import LatticeCore
package import LatticeGeo

/// The id of a post, comment, event or place, or a prefix of at least four hexadecimal digits that is unambiguous.
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

    /// The peer, if this is a whole id.
    package var id: PeerID? { PeerID(hex: text) }
}

/// Limits and choices for posts, those of the systems it grew from.
package enum PostLimit {
    /// Grapheme clusters of a post or comment; configurable up to `textClustersRange`.
    package static let textClusters = 140
    package static let textClustersRange = 1...1_000
    /// The choices of reading radius that a front offers, in metres.
    package static let radiusChoices: [Double] = [250, 2_000, 5_000]
    package static let radius: Double = 2_000
    /// Metres.
    package static let searchMax: Double = 100_000
    package static let pageSize = 20
    package static let pageSizeRange = 1...100
    package static let postLifetime: Duration = .seconds(30 * 86_400)
    package static let placeLifetime: Duration = .seconds(365 * 86_400)
    /// One minute to one year, as for any record.
    package static let lifetimeRange: ClosedRange<Duration> = .seconds(60)...(.seconds(31_536_000))
}

/// The fields of an event. A new event needs name, place and start; in an edit `nil` leaves a field as it is.
package struct EventDraft: Hashable, Sendable, Codable {
    package var name: String?
    package var at: Coordinate?
    package var starts: WallTime?
    package var ends: WallTime?
    package var address: String?
    package var text: String?
    package var blur: Int?
    package var photo: PhotoSource?
    /// What the photo shows, for those who do not see it. In an edit without a new photo it is that of the old one.
    package var alt: String?
    /// The named place where it is.
    package var atPlace: RecordID?

    package init(
        name: String? = nil, at: Coordinate? = nil, starts: WallTime? = nil, ends: WallTime? = nil,
        address: String? = nil, text: String? = nil, blur: Int? = nil, photo: PhotoSource? = nil, alt: String? = nil,
        atPlace: RecordID? = nil
    ) {
        self.atPlace = atPlace
        self.name = name
        self.at = at
        self.starts = starts
        self.ends = ends
        self.address = address
        self.text = text
        self.blur = blur
        (self.photo, self.alt) = (photo, alt)
    }
}

/// Where a page ends and the next begins; a front passes it back unchanged.
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

    package init(limit: Int = PostLimit.pageSize, after: PageCursor? = nil) {
        self.limit = limit
        self.after = after
    }
}

/// Which records go into a bundle; all conditions must hold.
package struct BundleSelection: Hashable, Sendable, Codable {
    /// A circle; the radius is in metres.
    package struct Around: Hashable, Sendable, Codable {
        package var centre: Coordinate
        package var radius: Double

        package init(centre: Coordinate, radius: Double) {
            self.centre = centre
            self.radius = radius
        }
    }

    /// Posts and events there, with everything about them and their authors' profiles.
    package var around: Around?
    package var since: WallTime?
    package var author: PeerReference?

    package init(around: Around? = nil, since: WallTime? = nil, author: PeerReference? = nil) {
        self.around = around
        self.since = since
        self.author = author
    }
}
