import LatticeCore
import LatticeGeo

extension FuzzTarget {
    static let place = FuzzTarget(
        "place", "places, geohashes and distances as people write them: what is read is written and read as the same",
        inputBytesMax: 300
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        let form = source.byte() % 4
        if form == 3 { return try checkPrinters(&source) }
        let text = String(decoding: source.all(), as: UTF8.self)
        switch form {
        case 0: try checkPlace(text)
        case 1: try checkGeohash(text)
        default: try checkDistance(text)
        }
    }

    private static func read(_ text: String) -> ParsedPlace? {
        accepted { try PlaceParser.parse(text) }
    }

    private static func checkPlace(_ text: String) throws(BrokenProperty) {
        let place: ParsedPlace
        do {
            place = try PlaceParser.parse(text)
        } catch {
            let sentence = error.description
            try hold(!sentence.unicodeScalars.contains(where: DisplayText.isUnsafe), "a fault repeats what is unsafe")
            return
        }
        try checkTexts(place.coordinate)
        guard let characters = place.geohashCharacters else { return }
        let word = Geohash.encode(place.coordinate, characters: characters)
        try hold(read(word) == place, "a geohash is read as another place")
    }

    private static func checkTexts(_ coordinate: Coordinate) throws(BrokenProperty) {
        for text in [coordinate.exactText, "geo:" + coordinate.exactText] {
            try hold(read(text)?.coordinate == coordinate, "\(text) is read as another place")
        }
        for text in [coordinate.description, coordinate.degreesMinutesSeconds] {
            guard let near = read(text)?.coordinate else { throw BrokenProperty("\(text) cannot be read") }
            // The rounding error on both axes: half of 0.1″ or of 0.00001°.
            try hold(near.distance(to: coordinate) <= 2.5, "\(text) is read \(near.distance(to: coordinate)) m off")
        }
    }

    /// Checks any coordinate and all lengths of its geohash.
    private static func checkPrinters(_ source: inout ByteSource) throws(BrokenProperty) {
        let axes = (0..<2).map { _ in Int32(bitPattern: UInt32(source.number(bytes: 4))) }
        guard let coordinate = Coordinate(latitudeE7: axes[0], longitudeE7: axes[1]) else { return }
        try checkTexts(coordinate)
        let characters = 1 + source.index(below: Geohash.charactersMax)
        let word = Geohash.encode(coordinate, characters: characters)
        guard let centre = accepted({ try Geohash.decode(word) }) else { throw BrokenProperty("\(word) is no geohash") }
        let blurred = coordinate.blurred(characters: characters)
        try hold(blurred == centre && blurred.blurred(characters: characters) == blurred, "blurred twice is moved")
        let cells = Cell(coordinate).value
        try hold((0..<1 << 62).contains(cells), "a cell off the line")
    }

    private static func checkGeohash(_ word: String) throws(BrokenProperty) {
        guard let centre = accepted({ try Geohash.decode(word) }) else { return }
        let again = Geohash.encode(centre, characters: word.unicodeScalars.count)
        try hold(again == word.lowercased(), "\(again) is another geohash")
    }

    private static func checkDistance(_ text: String) throws(BrokenProperty) {
        guard let metres = accepted({ try DistanceText.parse(text) }) else { return }
        try hold(metres >= 0 && metres <= 20_015_200, "\(metres) m is further than anything")
        guard let again = accepted({ try DistanceText.parse(DistanceText.string(metres)) }) else {
            throw BrokenProperty("\(DistanceText.string(metres)) cannot be read")
        }
        // Distances are written with three digits.
        try hold(abs(again - metres) <= max(0.5, metres / 18), "\(metres) m is read as \(again) m")
    }
}
