/// Distance, bearing and destination, on a sphere with the mean radius 6,371,008.8 m.
extension Coordinate {
    /// Metres along the great circle, 0…20,015,115.
    ///
    /// Haversine from both ends: the sine of the half angle is exact for near points and its cosine for nearly
    /// antipodal ones, where the usual arcsine of a number close to 1 is wrong by metres.
    package func distance(to other: Coordinate) -> Double {
        let cosines =
            Trigonometry.cosine(latitudeRadians) * Trigonometry.cosine(other.latitudeRadians)
        let across = Trigonometry.haversine(eastward(to: other))
        let sineSquared = Trigonometry.haversine(northward(to: other)) + cosines * across
        let between = Double(Int(latitudeE7) + Int(other.latitudeE7)) * Globe.radiansPerE7
        let cosineSquared = Trigonometry.haversine(between) + cosines * (1 - across)
        let half = Trigonometry.angle(y: sineSquared.squareRoot(), x: cosineSquared.squareRoot())
        return 2 * Globe.meanRadius * half
    }

    /// The initial bearing of the great circle, degrees clockwise from north, 0 ..< 360.
    ///
    /// 0 for the point itself, 180 from the north pole, 0 from the south pole. To the antipode it is one of many.
    package func bearing(to other: Coordinate) -> Double {
        if isPole || other.isPole {
            return latitudeE7 > other.latitudeE7 ? 180 : 0
        }
        let east = eastward(to: other)
        let sine = Trigonometry.sine(latitudeRadians)
        let otherCosine = Trigonometry.cosine(other.latitudeRadians)
        let y = Trigonometry.sine(east) * otherCosine
        let x = Trigonometry.sine(northward(to: other)) + 2 * sine * otherCosine * Trigonometry.haversine(east)
        let degrees = Trigonometry.angle(y: y, x: x) / Globe.radiansPerDegree
        // A hair west of north would round up to 360.
        return degrees < 0 ? (degrees + 360).truncatingRemainder(dividingBy: 360) : degrees
    }

    /// The end of a path along a great circle, rounded to the nearest 10⁻⁷ degrees.
    ///
    /// - Parameters:
    ///   - bearing: degrees clockwise from north at the start; any number of turns.
    ///   - distance: metres; any number of times round the globe, and backwards if negative.
    /// - Returns: the start itself if either is not finite.
    package func destination(bearing: Double, distance: Double) -> Coordinate {
        guard bearing.isFinite, distance.isFinite else { return self }
        let direction = bearing.truncatingRemainder(dividingBy: 360) * Globe.radiansPerDegree
        let angle = distance.truncatingRemainder(dividingBy: 2 * Globe.distanceMax) / Globe.meanRadius
        let (sine, cosine) = (Trigonometry.sine(latitudeRadians), Trigonometry.cosine(latitudeRadians))
        let (along, back) = (Trigonometry.sine(angle), Trigonometry.cosine(angle))
        // The end as a vector whose x axis pierces the equator on the start's meridian.
        let north = along * Trigonometry.cosine(direction)
        let x = cosine * back - sine * north
        let y = along * Trigonometry.sine(direction)
        let z = sine * back + cosine * north
        let latitude = Trigonometry.angle(y: z, x: (x * x + y * y).squareRoot())
        let eastward = Trigonometry.angle(y: y, x: x)
        return Coordinate(
            clampingLatitudeE7: Int((latitude / Globe.radiansPerE7).rounded()),
            wrappingLongitudeE7: Int(longitudeE7) + Int((eastward / Globe.radiansPerE7).rounded()))
    }

    var latitudeRadians: Double { Double(latitudeE7) * Globe.radiansPerE7 }

    private var isPole: Bool { abs(latitudeE7) == Self.latitudeE7Max }

    /// Radians, −π ..< π; the shorter way round.
    private func eastward(to other: Coordinate) -> Double {
        Double(Globe.wrapped(Int(other.longitudeE7) - Int(longitudeE7))) * Globe.radiansPerE7
    }

    /// Radians, −π…π.
    private func northward(to other: Coordinate) -> Double {
        Double(Int(other.latitudeE7) - Int(latitudeE7)) * Globe.radiansPerE7
    }
}
