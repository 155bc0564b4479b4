/// The position of a square of the grid relative to a shape.
enum CellSide {
    /// None of its coordinates are in the shape.
    case outside
    /// All of its coordinates are in the shape.
    case inside
    /// Some may be in the shape.
    case astride
}

/// A ring around a centre, for the descent. Distances are haversines (sin² of half the angle), which grow with the
/// distance and need no square root.
///
/// A wrong `outside` hides a result, so it must never happen. A wrong `astride` only costs time.
protocol CellShape {
    func side(of square: CellCurve.Square) -> CellSide
}

/// The points between two distances from a centre.
struct HaversineRing {
    /// Points nearer than this are excluded; below 0 for a whole disc.
    let inner: Double
    let outer: Double

    /// Slack in the sine of half the angle: 13 µm, far above any rounding error here and below the grid.
    private static let slack = 1e-12

    /// - Parameters: metres; at most half the circumference of the globe.
    init(from inner: Double, to outer: Double) {
        let innerSine = Trigonometry.sine(inner / Globe.meanRadius / 2) - Self.slack
        let outerSine = Trigonometry.sine(outer / Globe.meanRadius / 2) + Self.slack
        self.inner = innerSine > 0 ? innerSine * innerSine : -1
        self.outer = outerSine * outerSine
    }

    /// - Parameters: no coordinate of the square is nearer than `nearest` or further than `furthest`.
    @inline(__always)
    func side(nearest: Double, furthest: Double) -> CellSide {
        if nearest > outer || furthest < inner { return .outside }
        return nearest >= inner && furthest <= outer ? .inside : .astride
    }
}

/// A ring without a pole and small enough for a plane: needs no trigonometry per square.
///
/// haversine = sin²(Δφ/2) + cos φ₀ · cos φ · sin²(Δλ/2). The lower bound uses x²/4 · (1 − x²/12) ≤ sin²(x/2), and for
/// cos φ its chord over the ring's latitudes. The upper bound uses sin²(x/2) ≤ x²/4, and the tangent of cos φ at the
/// centre (the cosine is concave between the poles).
struct PlanarRing: CellShape {
    /// Metres. Beyond this the bounds are loose, and a query that large can wait for the exact shape.
    private static let radiusMax = 1_000_000.0
    /// Radians to each side of the centre, for the same reason.
    private static let halfWidthMax = 0.5

    private let ring: HaversineRing
    private let centreX: Int
    private let centreY: Int
    private let southY: Int
    private let northY: Int
    /// Haversine per squared step in latitude: lower and upper bound.
    private let northward: (least: Double, most: Double)
    /// Haversine per squared step in longitude on the centre's parallel, lower and upper bound, and how each changes
    /// per step of the parallel to the north.
    private let eastward: (least: Double, leastSlope: Double, most: Double, mostSlope: Double)

    /// - Parameters:
    ///   - extent: of the outer circle.
    ///   - halfWidth: of the extent.
    ///   - centreE7: the centre's longitude from the antimeridian; one turn more or less for the part across it.
    init(
        _ ring: HaversineRing, centre: Coordinate, extent: CircleExtent, halfWidthE7: Int, centreLongitude centreE7: Int
    ) {
        self.ring = ring
        let latitudeE7 = Int(centre.latitudeE7)
        centreX = centreE7
        centreY = latitudeE7 + Int(Coordinate.latitudeE7Max)
        southY = extent.southE7 + Int(Coordinate.latitudeE7Max)
        northY = extent.northE7 + Int(Coordinate.latitudeE7Max)
        let unit = Globe.radiansPerE7 * Globe.radiansPerE7 / 4
        let halfHeight = Double(max(extent.northE7 - latitudeE7, latitudeE7 - extent.southE7)) * Globe.radiansPerE7
        let halfWidth = Double(halfWidthE7) * Globe.radiansPerE7
        northward = (unit * (1 - halfHeight * halfHeight / 12), unit)
        let cosine = Trigonometry.cosine(centre.latitudeRadians)
        let southCosine = Trigonometry.cosine(Double(extent.southE7) * Globe.radiansPerE7)
        let northCosine = Trigonometry.cosine(Double(extent.northE7) * Globe.radiansPerE7)
        let chordSlope = (northCosine - southCosine) / Double(extent.northE7 - extent.southE7)
        let chord = southCosine + chordSlope * Double(latitudeE7 - extent.southE7)
        let least = unit * cosine * (1 - halfWidth * halfWidth / 12)
        let tangentSlope = -Trigonometry.sine(centre.latitudeRadians) * Globe.radiansPerE7
        eastward = (least * chord, least * chordSlope, unit * cosine * cosine, unit * cosine * tangentSlope)
    }

    /// - Parameter halfWidthE7: of the circle's extent; it exists only if the circle contains no pole.
    static func suits(_ circle: Circle, halfWidthE7: Int) -> Bool {
        circle.radius <= radiusMax && Double(halfWidthE7) * Globe.radiansPerE7 <= halfWidthMax
    }

    @inline(__always)
    func side(of square: CellCurve.Square) -> CellSide {
        let west = (square.x << 1) - centreX
        let east = west + (2 << square.sideBits) - 1
        let south = square.y - centreY
        let north = south + (1 << square.sideBits) - 1
        let nearX = Double(max(0, west, -east))
        let nearY = Double(max(0, south, -north))
        // The parallel of the square, within the ring's latitudes, where a step to the east is shortest.
        let short = eastward.leastSlope < 0 ? min(north, northY - centreY) : max(south, southY - centreY)
        let leastEast = eastward.least + eastward.leastSlope * Double(short)
        let nearest = northward.least * nearY * nearY + leastEast * nearX * nearX
        if nearest > ring.outer { return .outside }
        let farX = Double(max(-west, east))
        let farY = Double(max(-south, north))
        let long = eastward.mostSlope < 0 ? south : north
        let mostEast = eastward.most + eastward.mostSlope * Double(long)
        let furthest = northward.most * farY * farY + mostEast * farX * farX
        return ring.side(nearest: nearest, furthest: furthest)
    }
}

/// Any ring, including poles, by the exact formula.
///
/// On one meridian the haversine is (1 − R · cos(φ − φ*)) / 2. Its minimum is at φ* or at an end of the square's
/// segment, and its maximum opposite φ* or at an end. Of the square's meridians the one nearest to the centre's has the
/// minimum, and the furthest the maximum.
struct SphericalRing: CellShape {
    let ring: HaversineRing
    let centre: Coordinate

    func side(of square: CellCurve.Square) -> CellSide {
        let side = 1 << square.sideBits
        let south = square.y - Int(Coordinate.latitudeE7Max)
        let north = min(south + side - 1, Int(Coordinate.latitudeE7Max))
        let west = (square.x << 1) - Int(Coordinate.longitudeE7Max)
        let east = min(west + 2 * side, Int(Coordinate.longitudeE7Max)) - 1
        // Outside the grid there are no coordinates.
        guard south <= north, west <= east else { return .outside }
        let toWest = Globe.wrapped(west - Int(centre.longitudeE7))
        let toEast = Globe.wrapped(east - Int(centre.longitudeE7))
        let holdsMeridian = west <= Int(centre.longitudeE7) && Int(centre.longitudeE7) <= east
        let opposite = Globe.wrapped(Int(centre.longitudeE7) + Globe.turnE7 / 2)
        let holdsOpposite = west <= opposite && opposite <= east
        let near = holdsMeridian ? 0 : min(abs(toWest), abs(toEast))
        let far = holdsOpposite ? Globe.turnE7 / 2 : max(abs(toWest), abs(toEast))
        return ring.side(
            nearest: Meridian(from: centre, eastwardE7: near).least(southE7: south, northE7: north),
            furthest: Meridian(from: centre, eastwardE7: far).most(southE7: south, northE7: north))
    }

    /// The points of one meridian relative to a centre.
    private struct Meridian {
        let latitude: Double
        let cosine: Double
        let across: Double
        /// φ*, radians, −π…π: where the meridian's great circle is nearest.
        let nearest: Double

        init(from centre: Coordinate, eastwardE7: Int) {
            latitude = centre.latitudeRadians
            cosine = Trigonometry.cosine(latitude)
            let eastward = Double(eastwardE7) * Globe.radiansPerE7
            across = Trigonometry.haversine(eastward)
            nearest = Trigonometry.angle(
                y: Trigonometry.sine(latitude), x: cosine * Trigonometry.cosine(eastward))
        }

        func least(southE7: Int, northE7: Int) -> Double {
            let (south, north) = (Double(southE7) * Globe.radiansPerE7, Double(northE7) * Globe.radiansPerE7)
            let ends = min(haversine(at: south), haversine(at: north))
            return south < nearest && nearest < north ? min(ends, haversine(at: nearest)) : ends
        }

        func most(southE7: Int, northE7: Int) -> Double {
            let (south, north) = (Double(southE7) * Globe.radiansPerE7, Double(northE7) * Globe.radiansPerE7)
            let ends = max(haversine(at: south), haversine(at: north))
            let furthest = nearest > 0 ? nearest - .pi : nearest + .pi
            return south < furthest && furthest < north ? max(ends, haversine(at: furthest)) : ends
        }

        private func haversine(at other: Double) -> Double {
            Trigonometry.haversine(other - latitude) + cosine * Trigonometry.cosine(other) * across
        }
    }
}
