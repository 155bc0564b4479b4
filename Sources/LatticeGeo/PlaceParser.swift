package struct ParsedPlace: Hashable, Sendable {
    package let coordinate: Coordinate
    /// The length of the geohash if it was one, with `coordinate` as its centre; else `nil`.
    package let geohashCharacters: Int?
}

/// Places as people write and copy them:
///
/// - decimal degrees: `40.7128,-74.0060`, `40.7128 -74.0060`, `40.7128N 74.0060W`, `W74.0060 N40.7128`
/// - degrees, minutes, seconds: `40°42′46″N 74°0′22″W`, `40d42m46s N, 74d0m22s W`, `40 42.767 -74 0.366`
/// - a geohash of 4 to 12 characters: `dr5regw3p`
/// - a `geo:` URI (RFC 5870): `geo:40.7128,-74.0060;u=35`
///
/// Ambiguous text is refused: a message at the wrong end of the earth is worse than a question.
package enum PlaceParser {
    /// Bytes of UTF-8; the longest form with all its digits has half of that.
    package static let textBytesMax = 256

    package static func parse(_ text: String) throws(PlaceError) -> ParsedPlace {
        // Not counted further than necessary: the text may come from a stranger.
        guard text.utf8.prefix(textBytesMax + 1).count <= textBytesMax else { throw .tooLong }
        let scalars = trimmed(Array(text.unicodeScalars)[...])
        if scalars.isEmpty { throw .empty }
        if let uri = GeoURI.rest(of: scalars) {
            return ParsedPlace(coordinate: try GeoURI.parse(uri), geohashCharacters: nil)
        }
        if isGeohash(scalars) {
            do throws(GeohashError) {
                let centre = try Geohash.decode(String(String.UnicodeScalarView(scalars)))
                return ParsedPlace(coordinate: centre, geohashCharacters: scalars.count)
            } catch {
                throw .unreadable
            }
        }
        let angles = try AnglePair(PlaceToken.tokens(of: scalars))
        return ParsedPlace(coordinate: try angles.coordinate(), geohashCharacters: nil)
    }

    /// Shorter geohashes are as wide as a country, and often words: `1st`, `5th`.
    private static let geohashCharactersMin = 4

    /// Requires a digit and a letter, so that it is neither a word nor a number, and rejects half a pair such as
    /// `40d42m` or `W123`.
    private static func isGeohash(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
        guard (geohashCharactersMin...Geohash.charactersMax).contains(scalars.count) else { return false }
        let small = scalars.map(Geohash.lowercased)
        return small.allSatisfy(Geohash.alphabet.contains)
            && small.contains(where: isDigit) && !small.allSatisfy(isDigit)
            && !isHalfAPair(small)
    }

    /// `[nsew] 1–3 digits [d [1–2 digits m [1–2 digits s]]] [nsew]`
    private static func isHalfAPair(_ scalars: [Unicode.Scalar]) -> Bool {
        let letters: Set<Unicode.Scalar> = ["n", "s", "e", "w"]
        var rest = scalars[...]
        if let first = rest.first, letters.contains(first) { rest.removeFirst() }
        for (mark, digitsMax) in [("d", 3), ("m", 2), ("s", 2)] as [(Unicode.Scalar, Int)] {
            let digits = rest.prefix(while: isDigit)
            if digits.isEmpty { break }
            guard digits.count <= digitsMax else { return false }
            rest = rest[digits.endIndex...]
            guard rest.first == mark else { break }
            rest.removeFirst()
        }
        if let last = rest.first, letters.contains(last) { rest.removeFirst() }
        return rest.isEmpty
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        var rest = scalars.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }
}
