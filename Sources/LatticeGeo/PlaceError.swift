/// Why a text is not a place, and what to write instead.
package enum PlaceError: Error, Equatable, CustomStringConvertible {
    case empty
    case tooLong
    /// Neither coordinates nor a geohash, nor close to either.
    case unreadable
    case onlyOneNumber
    case decimalComma
    /// Degrees; `swapped` is the place with the two numbers exchanged, if that is one.
    case latitudeOutOfRange(Double, swapped: Coordinate?)
    case longitudeOutOfRange(Double)
    case minutesOutOfRange
    case signAndLetter
    /// One number has a letter and the other has none, or both letters are of one axis.
    case lettersDoNotPair
    case otherReferenceSystem

    package var description: String {
        switch self {
        case .empty: "a place is missing; \(Self.form)"
        case .tooLong: "too long for a place; \(Self.form)"
        case .unreadable: "not a place; \(Self.form)"
        case .onlyOneNumber: "a place needs two numbers, latitude first, such as 40.7128,-74.0060"
        case .decimalComma: "a comma is not a decimal point; write 40.7128,-74.0060"
        case .latitudeOutOfRange(_, .some(let swapped)):
            "a latitude is between -90 and 90; did you mean \(swapped.latitude),\(swapped.longitude)? Latitude comes first."
        case .latitudeOutOfRange(let degrees, nil): "a latitude is between -90 and 90, not \(degrees)"
        case .longitudeOutOfRange(let degrees): "a longitude is between -180 and 180, not \(degrees)"
        case .minutesOutOfRange: "minutes and seconds are below 60; write decimals only after the last part"
        case .signAndLetter: "use a minus or a letter, not both: -74.0060 or 74.0060W"
        case .lettersDoNotPair: "one number needs N or S, the other E or W, such as 40.7128N 74.0060W"
        case .otherReferenceSystem: "only degrees of WGS 84 are understood; write them as in 40.7128,-74.0060"
        }
    }

    private static let form = "write latitude,longitude such as 40.7128,-74.0060, or a geohash such as dr5regw3p"
}
