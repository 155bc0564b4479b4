import LatticeGeo

extension Coordinate {
    /// Decimal degrees at full precision, never with an exponent.
    var latitudeText: String { String(exactText.prefix { $0 != "," }) }
    var longitudeText: String { String(exactText.drop { $0 != "," }.dropFirst()) }
}
