/// `geo:` URIs (RFC 5870 §3.3): `geo:latitude,longitude[,altitude][;crs=wgs84][;u=metres][;name=value…]`.
enum GeoURI {
    /// The part after the scheme; `nil` for another scheme or none.
    static func rest(of scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar>? {
        let scheme = scalars.prefix(4)
        return scheme.map(Geohash.lowercased) == ["g", "e", "o", ":"] ? scalars[scheme.endIndex...] : nil
    }

    /// Ignores the altitude, the uncertainty and unknown parameters.
    static func parse(_ rest: ArraySlice<Unicode.Scalar>) throws(PlaceError) -> Coordinate {
        let fields = rest.split(separator: ";", omittingEmptySubsequences: false)
        for field in fields.dropFirst() { try check(parameter: field) }
        let numbers = fields[0].split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count >= 2 else { throw .onlyOneNumber }
        guard numbers.count <= 3 else { throw .decimalComma }
        var degrees: [Double] = []
        for text in numbers {
            guard let number = number(text) else { throw .unreadable }
            degrees.append(number)
        }
        return try AnglePair.coordinate(latitude: degrees[0], longitude: degrees[1])
    }

    private static func check(parameter: ArraySlice<Unicode.Scalar>) throws(PlaceError) {
        let name = parameter.prefix { $0 != "=" }
        let value = parameter[name.endIndex...].dropFirst()
        guard !name.isEmpty else { throw .unreadable }
        switch name.map(Geohash.lowercased) {
        case ["c", "r", "s"]:
            guard value.map(Geohash.lowercased) == ["w", "g", "s", "8", "4"] else { throw .otherReferenceSystem }
        case ["u"]:
            guard let metres = number(value), metres >= 0 else { throw .unreadable }
        default: return
        }
    }

    /// `num = [ "-" ] pnum`; `pnum = 1*DIGIT [ "." 1*DIGIT ]`.
    private static func number(_ text: ArraySlice<Unicode.Scalar>) -> Double? {
        let plain = text.first == "-" ? text.dropFirst() : text
        let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(PlaceParser.isDigit) }) else {
            return nil
        }
        return Double(String(String.UnicodeScalarView(text)))
    }
}
