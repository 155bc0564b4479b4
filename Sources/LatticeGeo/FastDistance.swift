/// Distances from one origin to many points, for a query that checks many rows.
///
/// Up to 200 km it uses series instead of sines: the first omitted term is below 10⁻¹² of the distance, so it differs
/// from `Coordinate.distance(to:)` by less than a micrometre. Beyond that it calls `distance(to:)`.
package struct FastDistance: Sendable {
    package let origin: Coordinate
    private let sine: Double
    private let cosine: Double

    /// Radians of latitude, and of longitude, up to which the series are used; 200 km is 0.0314.
    private static let northwardMax = 0.0315
    private static let eastwardMax = 0.1

    package init(from origin: Coordinate) {
        self.origin = origin
        sine = Trigonometry.sine(origin.latitudeRadians)
        cosine = Trigonometry.cosine(origin.latitudeRadians)
    }

    /// Metres, equal to `origin.distance(to: other)` within a millimetre.
    package func distance(to other: Coordinate) -> Double {
        let north = Double(Int(other.latitudeE7) - Int(origin.latitudeE7)) * Globe.radiansPerE7
        let east = Double(Globe.wrappedDifference(other.longitudeE7, origin.longitudeE7)) * Globe.radiansPerE7
        guard abs(north) <= Self.northwardMax, abs(east) <= Self.eastwardMax else {
            return origin.distance(to: other)
        }
        let (north2, east2) = (north * north, east * east)
        let otherCosine =
            cosine * (1 - north2 / 2 * (1 - north2 / 12 * (1 - north2 / 30)))
            - sine * north * (1 - north2 / 6 * (1 - north2 / 20))
        let haversine = Self.haversine(north2) + cosine * otherCosine * Self.haversine(east2)
        // 2 · arcsine of its square root.
        let series = 1 + haversine * (1.0 / 6 + haversine * (3.0 / 40 + haversine * (15.0 / 336)))
        return 2 * Globe.meanRadius * haversine.squareRoot() * series
    }

    /// sin² of half an angle, from the angle's square.
    @inline(__always)
    private static func haversine(_ squared: Double) -> Double {
        squared / 4 * (1 - squared / 12 * (1 - squared / 30 * (1 - squared / 56)))
    }
}
