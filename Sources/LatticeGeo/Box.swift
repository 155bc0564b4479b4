/// All points between two parallels and two meridians, edges included, in whole units of 10⁻⁷ degrees.
package struct Box: Hashable, Sendable {
    /// −900,000,000…`northE7`.
    package let southE7: Int32
    /// −1,800,000,000…1,799,999,999. Larger than `eastE7` if the box crosses the antimeridian.
    package let westE7: Int32
    /// `southE7`…900,000,000.
    package let northE7: Int32
    /// −1,800,000,000…1,799,999,999.
    package let eastE7: Int32

    package static let world = Box(
        unchecked: (-Coordinate.latitudeE7Max, -Coordinate.longitudeE7Max),
        (Coordinate.latitudeE7Max, Coordinate.longitudeE7Max - 1))

    /// From −180 to +180 is the whole way round; any other edge at +180 is the meridian of −180.
    ///
    /// - Returns: `nil` outside ±90° and ±180°, or with the south edge north of the north edge.
    package init?(southE7: Int32, westE7: Int32, northE7: Int32, eastE7: Int32) {
        let isWholeWidth = westE7 == -Coordinate.longitudeE7Max && eastE7 == Coordinate.longitudeE7Max
        guard southE7 <= northE7,
            let southWest = Coordinate(latitudeE7: southE7, longitudeE7: westE7),
            let northEast = Coordinate(latitudeE7: northE7, longitudeE7: isWholeWidth ? eastE7 - 1 : eastE7)
        else { return nil }
        self.init(
            unchecked: (southWest.latitudeE7, southWest.longitudeE7), (northEast.latitudeE7, northEast.longitudeE7))
    }

    /// For edges that are already in range.
    init(unchecked southWest: (Int32, Int32), _ northEast: (Int32, Int32)) {
        (southE7, westE7) = southWest
        (northE7, eastE7) = northEast
    }

    /// Degrees.
    package var south: Double { Double(southE7) / 1e7 }
    /// Degrees.
    package var west: Double { Double(westE7) / 1e7 }
    /// Degrees.
    package var north: Double { Double(northE7) / 1e7 }
    /// Degrees.
    package var east: Double { Double(eastE7) / 1e7 }

    package var crossesAntimeridian: Bool { westE7 > eastE7 }

    package func contains(_ coordinate: Coordinate) -> Bool {
        guard southE7 <= coordinate.latitudeE7, coordinate.latitudeE7 <= northE7 else { return false }
        let isEastOfWest = westE7 <= coordinate.longitudeE7
        let isWestOfEast = coordinate.longitudeE7 <= eastE7
        return crossesAntimeridian ? isEastOfWest || isWestOfEast : isEastOfWest && isWestOfEast
    }
}
