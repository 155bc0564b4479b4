package import LatticeCore
package import LatticeGeo
package import LatticeWire

/// What lies around a place, nearest first.
package struct NearSearch: Hashable, Sendable {
    /// No search reaches further, in metres.
    package static let reachMax = 100_000.0
    /// Items of one answer.
    package static let limitMax = 1_000

    /// `post` or `event`.
    package var kind: RecordKind
    package var centre: Coordinate
    /// Metres, `reachMax` at most.
    package var reachMetres: Double
    /// Nothing older.
    package var since: WallTime?
    package var now: WallTime
    package var limit: Int
    /// Where the last page ended.
    package var after: NearMark?

    package init(
        kind: RecordKind, centre: Coordinate, reachMetres: Double, since: WallTime? = nil, now: WallTime,
        limit: Int = 20, after: NearMark? = nil
    ) {
        precondition(kind == .post || kind == .event, "only posts and events have a place")
        self.kind = kind
        self.centre = centre
        self.reachMetres = reachMetres
        self.since = since
        self.now = now
        self.limit = limit
        self.after = after
    }
}

/// Where a page of a search near ends: of what lies at the same tenth of a metre that which came last is first.
package struct NearMark: Hashable, Sendable {
    package let metres: Double
    package let seq: Int64

    package init(metres: Double, seq: Int64) {
        self.metres = metres
        self.seq = seq
    }

    var spot: NearSpot { NearSpot(decimetres: NearSpot.decimetres(metres), metres: metres, seq: seq) }
}

/// An item and how far away it is.
package struct Found: Hashable, Sendable {
    package let item: StoredItem
    /// From the centre; in a search of words that is newest first, the date in Unix milliseconds.
    package let metres: Double

    package var mark: NearMark { NearMark(metres: metres, seq: item.seq) }
}

/// A place in the order of a search near.
struct NearSpot: Comparable {
    /// What people are told and what sorts, so that an order seen is an order kept.
    let decimetres: Int
    let metres: Double
    let seq: Int64

    static func decimetres(_ metres: Double) -> Int {
        Int((min(max(metres, 0), 1e9) * 10).rounded())
    }

    static func == (left: NearSpot, right: NearSpot) -> Bool {
        left.seq == right.seq && left.decimetres == right.decimetres
    }

    /// Of two at one place what came last is first: that is what people in one room look for.
    static func < (left: NearSpot, right: NearSpot) -> Bool {
        left.decimetres == right.decimetres ? left.seq > right.seq : left.decimetres < right.decimetres
    }
}
