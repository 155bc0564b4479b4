/// Geohash (Gustavo Niemeyer, 2008): a place as a word with five bits per character, which halve longitude and latitude
/// in turn. A longer word is a smaller cell, and a cell's word begins with the word of the cell around it.
///
/// | characters | high | wide at the equator |
/// |---|---|---|
/// | 1 | 5,004 km | 5,004 km |
/// | 2 | 625 km | 1,251 km |
/// | 3 | 156 km | 156 km |
/// | 4 | 19.5 km | 39.1 km |
/// | 5 | 4.9 km | 4.9 km |
/// | 6 | 611 m | 1.2 km |
/// | 7 | 153 m | 153 m |
/// | 8 | 19 m | 38 m |
/// | 9 | 4.8 m | 4.8 m |
/// | 10 | 60 cm | 1.2 m |
/// | 11 | 15 cm | 15 cm |
/// | 12 | 1.9 cm | 3.7 cm |
package enum Geohash {
    /// With twelve characters cells are a little larger than the grid of coordinates; with more, some would contain
    /// none.
    package static let charactersMax = 12

    static let bitsPerCharacter = 5
    static let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz".unicodeScalars)

    /// The word, in lower case, of the cell that holds a coordinate.
    ///
    /// - Parameter characters: 1…12.
    package static func encode(_ coordinate: Coordinate, characters: Int) -> String {
        let (latitude, longitude) = axes(characters: characters)
        let row = latitude.index(Int(coordinate.latitudeE7))
        let column = longitude.index(Int(coordinate.longitudeE7))
        var word = ""
        word.reserveCapacity(characters)
        var (rowBits, columnBits, digit) = (latitude.bits, longitude.bits, 0)
        for bit in 0..<characters * bitsPerCharacter {
            if bit.isMultiple(of: 2) {
                columnBits -= 1
                digit = digit << 1 | (column >> columnBits & 1)
            } else {
                rowBits -= 1
                digit = digit << 1 | (row >> rowBits & 1)
            }
            if bit % bitsPerCharacter == bitsPerCharacter - 1 {
                word.unicodeScalars.append(alphabet[digit])
                digit = 0
            }
        }
        return word
    }

    /// The coordinate nearest to the middle of the cell of a word of 1…12 characters, in any case. It encodes to the
    /// same word.
    package static func decode(_ word: String) throws(GeohashError) -> Coordinate {
        let scalars = word.unicodeScalars
        guard !scalars.isEmpty else { throw .empty }
        // Not counted further than necessary: the word may come from a stranger and be long.
        guard scalars.prefix(charactersMax + 1).count <= charactersMax else { throw .tooLong }
        var (row, column, bit) = (0, 0, 0)
        for scalar in scalars {
            guard let digit = alphabet.firstIndex(of: lowercased(scalar)) else { throw .badCharacter(scalar) }
            for shift in (0..<bitsPerCharacter).reversed() {
                if bit.isMultiple(of: 2) {
                    column = column << 1 | (digit >> shift & 1)
                } else {
                    row = row << 1 | (digit >> shift & 1)
                }
                bit += 1
            }
        }
        let (latitude, longitude) = axes(characters: bit / bitsPerCharacter)
        return Coordinate(
            clampingLatitudeE7: latitude.centre(row), wrappingLongitudeE7: longitude.centre(column))
    }

    static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
    }

    fileprivate static func axes(characters: Int) -> (latitude: GeohashAxis, longitude: GeohashAxis) {
        precondition((1...charactersMax).contains(characters), "a geohash of ours has 1 to 12 characters")
        let bits = characters * bitsPerCharacter
        return (
            GeohashAxis(bits: bits / 2, lowest: -Int(Coordinate.latitudeE7Max), span: Globe.turnE7 / 2),
            GeohashAxis(bits: bits - bits / 2, lowest: -Globe.turnE7 / 2, span: Globe.turnE7)
        )
    }
}

package enum GeohashError: Error, Equatable, CustomStringConvertible {
    case empty
    case tooLong
    case badCharacter(Unicode.Scalar)

    package var description: String {
        switch self {
        case .empty: "a geohash has at least one character"
        case .tooLong: "a geohash has at most \(Geohash.charactersMax) characters: leave off the rest"
        case .badCharacter: "a geohash has only digits and letters, and of the letters not a, i, l and o"
        }
    }
}

extension Coordinate {
    /// The centre of its geohash cell, for an author who wants to be located only so precisely.
    ///
    /// - Parameter characters: 1…12. Blurring twice with the same length changes nothing.
    package func blurred(characters: Int) -> Coordinate {
        let (latitude, longitude) = Geohash.axes(characters: characters)
        return Coordinate(
            clampingLatitudeE7: latitude.centre(latitude.index(Int(latitudeE7))),
            wrappingLongitudeE7: longitude.centre(longitude.index(Int(longitudeE7))))
    }
}
