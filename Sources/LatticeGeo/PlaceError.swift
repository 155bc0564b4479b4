/// Why a text is no place, as a sentence that says what to write.
package enum PlaceError: Error, Equatable, CustomStringConvertible {
    case empty
    case tooLong
    /// Neither coordinates nor a geohash, nor nearly so.
    case unreadable
    case onlyOneNumber
    case decimalComma
    /// Degrees; `swapped` is what the two numbers are the other way round, if that is a place.
    case latitudeOutOfRange(Double, swapped: Coordinate?)
    case longitudeOutOfRange(Double)
    case minutesOutOfRange
    case signAndLetter
    /// One number has a letter and the other has none, or both letters are of one axis.
    case lettersDoNotPair
    case otherReferenceSystem

    package var description: String {
        switch self {
        case .empty: "a place is missing: \(Self.form)"
        case .tooLong: "that is too long for a place: \(Self.form)"
        case .unreadable: "that is no place: \(Self.form)"
        case .onlyOneNumber: "a place needs two numbers, latitude first: write them as in 40.7128,-74.0060"
        case .decimalComma: "a comma parts latitude from longitude: write decimals with a point, as in 40.7128,-74.0060"
        case .latitudeOutOfRange(_, .some(let swapped)):
            "a latitude is between -90 and 90; did you mean \(swapped.latitude),\(swapped.longitude)? latitude comes first"
        case .latitudeOutOfRange(let degrees, nil): "a latitude is between -90 and 90, not \(degrees)"
        case .longitudeOutOfRange(let degrees): "a longitude is between -180 and 180, not \(degrees)"
        case .minutesOutOfRange: "minutes and seconds are below 60: write decimals after the last part only"
        case .signAndLetter: "a letter says it already: write either -74.0060 or 74.0060W"
        case .lettersDoNotPair: "one number needs N or S and the other E or W: write them as in 40.7128N 74.0060W"
        case .otherReferenceSystem: "that place is not in degrees of WGS 84: write it as those, as in 40.7128,-74.0060"
        }
    }

    private static let form = "write latitude,longitude as in 40.7128,-74.0060, or a geohash as in dr5regw3p"
}
