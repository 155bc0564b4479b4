/// A point on the globe in WGS 84 degrees, stored in whole units of 10⁻⁷ degrees (1.1 cm at the equator), so that it is
/// equal in every record, index and answer, and compares exactly.
package struct Coordinate: Hashable, Sendable {
    /// −900,000,000…900,000,000; north is positive.
    package let latitudeE7: Int32
    /// −1,800,000,000…1,799,999,999; east is positive, and the antimeridian is −180° only.
    package let longitudeE7: Int32

    package static let latitudeE7Max: Int32 = 900_000_000
    package static let longitudeE7Max: Int32 = 1_800_000_000

    /// - Returns: `nil` outside ±90° and ±180°. A longitude of +180° becomes −180°.
    package init?(latitudeE7: Int32, longitudeE7: Int32) {
        guard (-Self.latitudeE7Max...Self.latitudeE7Max).contains(latitudeE7),
            (-Self.longitudeE7Max...Self.longitudeE7Max).contains(longitudeE7)
        else { return nil }
        self.latitudeE7 = latitudeE7
        self.longitudeE7 = longitudeE7 == Self.longitudeE7Max ? -Self.longitudeE7Max : longitudeE7
    }

    /// - Parameters: degrees, rounded to the nearest 10⁻⁷.
    /// - Returns: `nil` for non-finite values, or outside ±90° and ±180°.
    package init?(latitude: Double, longitude: Double) {
        guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.init(
            latitudeE7: Int32((latitude * 1e7).rounded()), longitudeE7: Int32((longitude * 1e7).rounded()))
    }

    /// For results of arithmetic: latitudes beyond a pole are clamped, longitudes beyond the antimeridian wrap.
    init(clampingLatitudeE7 latitudeE7: Int, wrappingLongitudeE7 longitudeE7: Int) {
        let latitudeMax = Int(Self.latitudeE7Max)
        self.latitudeE7 = Int32(min(latitudeMax, max(-latitudeMax, latitudeE7)))
        self.longitudeE7 = Int32(Globe.wrapped(longitudeE7))
    }

    /// Degrees, −90…90.
    package var latitude: Double { Double(latitudeE7) / 1e7 }
    /// Degrees, −180 ..< 180.
    package var longitude: Double { Double(longitudeE7) / 1e7 }
}
