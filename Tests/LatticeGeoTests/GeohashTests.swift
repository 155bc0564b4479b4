import LatticeCore
import LatticeGeo
import Testing

struct GeohashTests {
    /// Of Wikipedia, ngeohash and pr_geohash, and of an independent encoder in floating point.
    static let vectors: [((Double, Double), String)] = [
        ((57.64911, 10.40744), "u4pruydqqvj"),
        ((37.8324, 112.5584), "ww8p1r4t8"),
        ((42.605, -5.603), "ezs42"),
        ((39.0454, -76.5307), "dqcw4"),
        ((45.37, -121.7), "c216ne"),
        ((0, 0), "s00000000000"),
        ((-90, -180), "000000000000"),
        ((90, 179.9999999), "zzzzzzzzzzzz"),
        ((40.7128, -74.006), "dr5regw3p"),
        ((-33.8688, 151.2093), "r3gx2f77"),
        ((-0.0000001, -0.0000001), "7zzzzzzzzzzz"),
        ((51.5074, -0.1278), "gcpvj0d"),
        ((-16.5, -179.9), "2j044k"),
    ]

    @Test(arguments: vectors) func aCoordinateHasItsPublishedWord(_ at: (Double, Double), _ word: String) throws {
        let coordinate = place(at.0, at.1)
        #expect(Geohash.encode(coordinate, characters: word.count) == word)
        #expect(try Geohash.decode(word).box.contains(coordinate))
        #expect(try Geohash.decode(word.uppercased()) == Geohash.decode(word))
    }

    /// pr_geohash's corners of `dqcw4`.
    @Test func aWordHasItsPublishedBox() throws {
        let box = try Geohash.decode("dqcw4").box
        #expect(box.southE7 == 390_234_375)
        #expect(box.westE7 == -765_527_343)
        #expect(box.northE7 == 390_673_828)
        #expect(box.eastE7 == -765_087_891)
    }

    @Test(arguments: 1...12) func theMiddleOfACellHasTheCellsWord(characters: Int) throws {
        var generator = SeededGenerator(seed: UInt64(characters))
        for _ in 0..<1000 {
            let coordinate = Samples.coordinate(using: &generator)
            let word = Geohash.encode(coordinate, characters: characters)
            let cell = try Geohash.decode(word)
            #expect(cell.box.contains(coordinate))
            #expect(Geohash.encode(cell.centre, characters: characters) == word)
            #expect(coordinate.blurred(characters: characters) == cell.centre)
            #expect(cell.centre.blurred(characters: characters) == cell.centre)
        }
    }

    @Test(arguments: 2...12) func oneStepOutOfABoxIsAnotherWord(characters: Int) throws {
        var generator = SeededGenerator(seed: UInt64(characters))
        for _ in 0..<300 {
            let word = Geohash.encode(Samples.coordinate(using: &generator), characters: characters)
            let box = try Geohash.decode(word).box
            for (latitude, longitude) in [(box.southE7, box.westE7), (box.northE7, box.eastE7)] {
                let corner = try #require(Coordinate(latitudeE7: latitude, longitudeE7: longitude))
                #expect(Geohash.encode(corner, characters: characters) == word)
            }
            for (latitude, longitude) in [(box.southE7 - 1, box.westE7), (box.northE7, box.eastE7 + 1)] {
                guard let outside = Coordinate(latitudeE7: latitude, longitudeE7: longitude) else { continue }
                #expect(Geohash.encode(outside, characters: characters) != word)
            }
        }
    }

    @Test func aLongerWordIsASmallerCellInsideTheShorter() {
        let here = place(40.7128, -74.0060)
        let word = Geohash.encode(here, characters: 12)
        for characters in 1..<12 {
            #expect(word.hasPrefix(Geohash.encode(here, characters: characters)))
            #expect(Geohash.cellHeight(characters: characters + 1) < Geohash.cellHeight(characters: characters))
        }
    }

    @Test func aCellsSizeIsInMetres() {
        #expect(abs(Geohash.cellHeight(characters: 5) - 4886.5) < 0.1)
        #expect(abs(Geohash.cellWidth(characters: 6) - 1221.6) < 0.1)
        #expect(abs(Geohash.cellWidth(characters: 6, latitude: 60) - 610.8) < 0.1)
        #expect(Geohash.cellWidth(characters: 6, latitude: 90) < 0.001)
    }

    @Test func whatIsNoWordIsRefusedWithWhatIsWrong() {
        #expect(throws: GeohashError.empty) { try Geohash.decode("") }
        #expect(throws: GeohashError.tooLong) { try Geohash.decode("dr5regw3pppppp") }
        #expect(throws: GeohashError.badCharacter("a")) { try Geohash.decode("dra") }
        #expect(throws: GeohashError.badCharacter("\u{e9}")) { try Geohash.decode("dr\u{e9}") }
    }
}
