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

    /// The cell of a word of 1…12 characters, in any case.
    package static func decode(_ word: String) throws(GeohashError) -> GeohashBox {
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
        let (south, centreLatitude, north) = latitude.cell(row)
        let (west, centreLongitude, east) = longitude.cell(column)
        return GeohashBox(
            box: Box(unchecked: (Int32(south), Int32(west)), (Int32(north), Int32(east))),
            centre: Coordinate(clampingLatitudeE7: centreLatitude, wrappingLongitudeE7: centreLongitude))
    }

    /// Metres from the south edge to the north edge of a cell, at any latitude.
    ///
    /// - Parameter characters: 1…12.
    package static func cellHeight(characters: Int) -> Double {
        axes(characters: characters).latitude.width * Globe.metresPerE7
    }

    /// Metres from the west edge to the east edge of a cell, along a parallel.
    ///
    /// - Parameters:
    ///   - characters: 1…12.
    ///   - latitude: degrees; the default is the equator, where cells are widest.
    package static func cellWidth(characters: Int, latitude: Double = 0) -> Double {
        let cosine = Trigonometry.cosine(latitude * Globe.radiansPerDegree)
        return axes(characters: characters).longitude.width * Globe.metresPerE7 * max(0, cosine)
    }

    static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
    }

    fileprivate static func axes(characters: Int) -> (latitude: GeohashAxis, longitude: GeohashAxis) {
        precondition((1...charactersMax).contains(characters), "a geohash of ours has 1 to 12 characters")
        let bits = characters * bitsPerCharacter
        return (
            GeohashAxis(bits: bits / 2, lowest: -Int(Coordinate.latitudeE7Max), span: Globe.turnE7 / 2, isRing: false),
            GeohashAxis(bits: bits - bits / 2, lowest: -Globe.turnE7 / 2, span: Globe.turnE7, isRing: true)
        )
    }
}

/// The cell of a geohash.
package struct GeohashBox: Hashable, Sendable {
    /// From the first to the last coordinate of the cell: exactly the coordinates that encode to the same word.
    package let box: Box
    /// The coordinate nearest to the middle; it encodes to the same word.
    package let centre: Coordinate
}

/// Why a word is not a geohash.
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
            clampingLatitudeE7: latitude.cell(latitude.index(Int(latitudeE7))).centre,
            wrappingLongitudeE7: longitude.cell(longitude.index(Int(longitudeE7))).centre)
    }
}
