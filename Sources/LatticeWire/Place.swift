package import LatticeGeo

/// A coordinate and how far its author blurred it.
///
/// `place := latitude:4 longitude:4 geohashCharacters:1`, the degrees as two's complement in units of 10⁻⁷.
package struct Place: Hashable, Sendable {
    package static let bytes = 9
    package static let geohashCharactersMax: UInt8 = 12

    package let coordinate: Coordinate
    /// The geohash length that the coordinate was cut to before signing, 1–12; `nil` if it is exact.
    package let geohashCharacters: UInt8?

    package init(_ coordinate: Coordinate, geohashCharacters: UInt8? = nil) {
        precondition(
            geohashCharacters.map { (1...Self.geohashCharactersMax).contains($0) } ?? true,
            "a geohash of ours has 1 to 12 characters")
        self.coordinate = coordinate
        self.geohashCharacters = geohashCharacters
    }
}

extension ByteWriter {
    package mutating func place(_ place: Place) {
        integer(UInt64(UInt32(bitPattern: place.coordinate.latitudeE7)), bytes: 4)
        integer(UInt64(UInt32(bitPattern: place.coordinate.longitudeE7)), bytes: 4)
        byte(place.geohashCharacters ?? 0)
    }
}

extension ByteReader {
    package mutating func place(_ field: String) throws(WireError) -> Place {
        let latitude = Int32(bitPattern: UInt32(try integer(bytes: 4, field)))
        let longitude = Int32(bitPattern: UInt32(try integer(bytes: 4, field)))
        let characters = try byte(field)
        // Each place has one encoding: +180° is written as −180°.
        guard longitude < Coordinate.longitudeE7Max,
            let coordinate = Coordinate(latitudeE7: latitude, longitudeE7: longitude),
            characters <= Place.geohashCharactersMax
        else { throw .outOfRange(field: field) }
        return Place(coordinate, geohashCharacters: characters == 0 ? nil : characters)
    }
}
