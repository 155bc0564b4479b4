/// Ranges of the index (`Cell`) that contain every coordinate of a circle or ring, for a query of places. They also
/// contain some around it, so the query must check each row's exact distance.
package enum CellCover {
    /// The ranges of a disc.
    ///
    /// - Parameter rangesMax: at least 1. More ranges fit more tightly and take longer, to find and to look up.
    /// - Returns: 1…`rangesMax` ranges in ascending order with gaps between them.
    package static func ranges(_ circle: Circle, rangesMax: Int) -> [ClosedRange<Int64>] {
        ranges(HaversineRing(from: 0, to: circle.radius), of: circle, rangesMax: rangesMax)
    }

    /// The ranges of the points at least `inner` and at most `outer` metres away: for a search that widens until it has
    /// enough, without reading anything twice.
    ///
    /// - Returns: as for a disc; none for an empty ring.
    package static func ring(
        _ centre: Coordinate, from inner: Double, to outer: Double, rangesMax: Int
    ) -> [ClosedRange<Int64>] {
        let circle = Circle(centre: centre, radius: outer)
        let hole = Circle(centre: centre, radius: inner)
        if hole.radius > circle.radius { return [] }
        return ranges(HaversineRing(from: hole.radius, to: circle.radius), of: circle, rangesMax: rangesMax)
    }

    private static func ranges(_ ring: HaversineRing, of circle: Circle, rangesMax: Int) -> [ClosedRange<Int64>] {
        precondition(rangesMax >= 1, "a cover has at least one range")
        var descent = CellDescent(rangesMax: rangesMax)
        let extent = CircleExtent(circle)
        let rows = extent.southE7 + Int(Coordinate.latitudeE7Max)...extent.northE7 + Int(Coordinate.latitudeE7Max)
        let columns = 0...Globe.turnE7 / 2 - 1
        guard let halfWidth = extent.halfWidthE7, PlanarRing.suits(circle, halfWidthE7: halfWidth) else {
            descent.cover(SphericalRing(ring: ring, centre: circle.centre), columns: columns, rows: rows)
            return descent.result()
        }
        // The part of the circle beyond the antimeridian is covered from its other side.
        let centre = Int(circle.centre.longitudeE7) + Int(Coordinate.longitudeE7Max)
        for turn in -1...1 {
            let turned = centre + turn * Globe.turnE7
            guard turned + halfWidth >= 0, turned - halfWidth < Globe.turnE7 else { continue }
            let window = max(turned - halfWidth, 0) >> 1...min(turned + halfWidth, Globe.turnE7 - 1) >> 1
            let shape = PlanarRing(
                ring, centre: circle.centre, extent: extent, halfWidthE7: halfWidth, centreLongitude: turned)
            descent.cover(shape, columns: window, rows: rows)
        }
        return descent.result()
    }
}
