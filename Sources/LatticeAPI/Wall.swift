package import LatticeCore
package import LatticeGeo

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
