/// The part of the world that a map shows: a rectangle of degrees that does not cross the antimeridian.
///
/// In JSON it is `[west, south, east, north]`, as in TileJSON and GeoJSON (RFC 7946, section 5).
package struct MapBounds: Hashable, Sendable {
    /// Bytes of its binary form.
    package static let bytes = 16

    /// In units of 10⁻⁷ degrees. The east may be +180°.
    package let westE7: Int32
    package let southE7: Int32
    package let eastE7: Int32
    package let northE7: Int32

    /// - Returns: `nil` beyond ±180° and ±90°, and if west is not left of east or south not below north.
    package init?(westE7: Int32, southE7: Int32, eastE7: Int32, northE7: Int32) {
        let (longitudes, latitudes) = (Coordinate.longitudeE7Max, Coordinate.latitudeE7Max)
        guard westE7 >= -longitudes, eastE7 <= longitudes, southE7 >= -latitudes, northE7 <= latitudes,
            westE7 < eastE7, southE7 < northE7
        else { return nil }
        (self.westE7, self.southE7, self.eastE7, self.northE7) = (westE7, southE7, eastE7, northE7)
    }

    /// - Parameter degrees: west, south, east and north, rounded to the nearest 10⁻⁷.
    /// - Returns: `nil` if there are not four, and as above.
    package init?(degrees: [Double]) {
        guard degrees.count == 4, degrees.allSatisfy({ $0.isFinite && abs($0) <= 180 }) else { return nil }
        let units = degrees.map { Int32(($0 * 1e7).rounded()) }
        self.init(westE7: units[0], southE7: units[1], eastE7: units[2], northE7: units[3])
    }

    /// West, south, east and north.
    package var degrees: [Double] { [westE7, southE7, eastE7, northE7].map { Double($0) / 1e7 } }

    package func contains(_ point: Coordinate) -> Bool {
        (westE7...eastE7).contains(point.longitudeE7) && (southE7...northE7).contains(point.latitudeE7)
    }

    package var centre: Coordinate {
        Coordinate(
            clampingLatitudeE7: (Int(southE7) + Int(northE7)) / 2,
            wrappingLongitudeE7: (Int(westE7) + Int(eastE7)) / 2)
    }

    /// Metres from west to east through the centre, and from south to north.
    package var size: (width: Double, height: Double) {
        let metresPerUnit = Globe.meanRadius * Globe.radiansPerE7
        let narrowing = Trigonometry.cosine(centre.latitude * Globe.radiansPerDegree)
        return (
            Double(Int(eastE7) - Int(westE7)) * metresPerUnit * narrowing,
            Double(Int(northE7) - Int(southE7)) * metresPerUnit
        )
    }
}

extension MapBounds: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bounds = MapBounds(degrees: try container.decode([Double].self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "give west, south, east, north")
        }
        self = bounds
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(degrees)
    }
}
