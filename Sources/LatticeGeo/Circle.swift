/// All points within a distance of a centre.
package struct Circle: Hashable, Sendable {
    package let centre: Coordinate
    /// Metres, 0…20,015,115 (half the circumference, which is the whole globe).
    package let radius: Double

    /// - Parameter radius: metres; negative values and NaN become 0, and values above half the circumference become
    ///   that.
    package init(centre: Coordinate, radius: Double) {
        self.centre = centre
        self.radius = radius > 0 ? min(radius, Globe.distanceMax) : 0
    }

    package func contains(_ coordinate: Coordinate) -> Bool {
        centre.distance(to: coordinate) <= radius
    }
}

/// The extent of a circle in the four directions, in units of 10⁻⁷ degrees, rounded outwards.
struct CircleExtent {
    /// −900,000,000…900,000,000.
    let southE7: Int
    /// −900,000,000…900,000,000.
    let northE7: Int
    /// Either side of the centre's meridian, less than half a turn. `nil`: the circle meets every meridian.
    let halfWidthE7: Int?

    /// Above this the arcsine below is less precise than 10⁻⁷ degrees.
    private static let sineMax = 1 - 1e-9

    init(_ circle: Circle) {
        let latitude = Int(circle.centre.latitudeE7)
        let angle = circle.radius / Globe.meanRadius
        let reach = Int((angle / Globe.radiansPerE7).rounded(.up)) + 1
        let pole = Int(Coordinate.latitudeE7Max)
        southE7 = max(-pole, latitude - reach)
        northE7 = min(pole, latitude + reach)
        // The triangle of the pole, the centre and the touching point has a right angle where a meridian touches the
        // circle.
        let sine = Trigonometry.sine(angle) / Trigonometry.cosine(circle.centre.latitudeRadians)
        if southE7 == -pole || northE7 == pole || sine > Self.sineMax {
            halfWidthE7 = nil
        } else {
            halfWidthE7 = Int((Trigonometry.arcsine(sine) / Globe.radiansPerE7).rounded(.up)) + 2
        }
    }
}
