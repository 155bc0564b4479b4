/// Stretches of the index (`Cell`) that hold every coordinate of a circle or ring: what a query of places asks for. They
/// hold some around it too, so each row's exact distance is still to be looked at.
package enum CellCover {
    /// The stretches of a disc.
    ///
    /// - Parameter rangesMax: at least 1. More are tighter and take longer, both to find and to look up.
    /// - Returns: 1…`rangesMax` stretches in ascending order with gaps between them.
    package static func ranges(_ circle: Circle, rangesMax: Int) -> [ClosedRange<Int64>] {
        ranges(HaversineRing(from: 0, to: circle.radius), of: circle, rangesMax: rangesMax)
    }

    /// The stretches of what is at least `inner` and at most `outer` metres away: for a search that widens until it has
    /// enough, without asking again for what it has.
    ///
    /// - Returns: as for a disc; of a ring that holds nothing, none.
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
        // What reaches beyond the antimeridian is looked for once on either side of it.
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
