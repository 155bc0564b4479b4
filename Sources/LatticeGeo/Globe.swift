/// The sphere for measuring distances.
///
/// The mean radius R₁ = (2a + b) / 3 of WGS 84 (NIMA TR8350.2; the IUGG's mean radius). A sphere differs from the
/// ellipsoid by at most 0.56 %, which no reader of "1.8 km, NE" can notice.
enum Globe {
    /// Metres.
    static let meanRadius = 6_371_008.8
    /// Metres; the largest distance of two points.
    static let distanceMax = Double.pi * meanRadius

    static let radiansPerDegree = Double.pi / 180
    static let radiansPerE7 = radiansPerDegree / 1e7

    /// A full turn in units of 10⁻⁷ degrees.
    static let turnE7 = 3_600_000_000

    /// - Returns: the same longitude, or difference of longitudes, in −1,800,000,000 ..< 1,800,000,000.
    static func wrapped(_ longitudeE7: Int) -> Int {
        let turned = (longitudeE7 + turnE7 / 2) % turnE7
        return (turned < 0 ? turned + turnE7 : turned) - turnE7 / 2
    }

    /// The shorter way from one longitude to another, without a division.
    static func wrappedDifference(_ longitudeE7: Int32, _ fromE7: Int32) -> Int {
        let difference = Int(longitudeE7) - Int(fromE7)
        if difference >= turnE7 / 2 { return difference - turnE7 }
        return difference < -turnE7 / 2 ? difference + turnE7 : difference
    }
}
