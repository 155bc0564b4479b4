package import LatticeCore
package import LatticeGeo
package import LatticeWire

/// A search around a place, nearest first.
package struct NearSearch: Hashable, Sendable {
    /// Limit of any search's radius, in metres.
    package static let reachMax = 100_000.0
    /// Limit of items in an answer.
    package static let limitMax = 1_000

    /// `post`, `event` or `place`.
    package var kind: RecordKind
    package var centre: Coordinate
    /// Metres, at most `reachMax`.
    package var reachMetres: Double
    /// Excludes older items.
    package var since: WallTime?
    package var now: WallTime
    package var limit: Int
    /// The end of the last page.
    package var after: NearMark?

    package init(
        kind: RecordKind, centre: Coordinate, reachMetres: Double, since: WallTime? = nil, now: WallTime,
        limit: Int = 20, after: NearMark? = nil
    ) {
        precondition(kind.isPlaced, "only posts, events and places are somewhere")
        self.kind = kind
        self.centre = centre
        self.reachMetres = reachMetres
        self.since = since
        self.now = now
        self.limit = limit
        self.after = after
    }
}

/// The end of a page of a search near a place. Within a tenth of a metre, the item that arrived last comes first.
package struct NearMark: Hashable, Sendable {
    package let metres: Double
    package let seq: Int64

    package init(metres: Double, seq: Int64) {
        self.metres = metres
        self.seq = seq
    }

    var spot: NearSpot { NearSpot(decimetres: NearSpot.decimetres(metres), metres: metres, seq: seq) }
}

package struct Found: Hashable, Sendable {
    package let item: StoredItem
    /// Metres from the centre; in a search for words, newest first, the date in Unix milliseconds.
    package let metres: Double

    package var mark: NearMark { NearMark(metres: metres, seq: item.seq) }
}

/// The position of an item in the order of a search near a place.
struct NearSpot: Comparable {
    /// Both shown and sorted by, so that the order people see is the order of pages.
    let decimetres: Int
    let metres: Double
    let seq: Int64

    static func decimetres(_ metres: Double) -> Int {
        Int((min(max(metres, 0), 1e9) * 10).rounded())
    }

    static func == (left: NearSpot, right: NearSpot) -> Bool {
        left.seq == right.seq && left.decimetres == right.decimetres
    }

    /// At equal distance the item that arrived last comes first: people in one room look for that.
    static func < (left: NearSpot, right: NearSpot) -> Bool {
        left.decimetres == right.decimetres ? left.seq > right.seq : left.decimetres < right.decimetres
    }
}
