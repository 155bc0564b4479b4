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
        #expect(try Geohash.decode(word.uppercased()) == Geohash.decode(word))
    }

    /// The middle of pr_geohash's corners of `dqcw4`.
    @Test func aWordHasItsPublishedMiddle() throws {
        let centre = try Geohash.decode("dqcw4")
        #expect(abs(centre.latitudeE7 - 390_454_101) <= 1 && abs(centre.longitudeE7 + 765_307_617) <= 1)
    }

    @Test(arguments: 1...12) func theMiddleOfACellHasTheCellsWord(characters: Int) throws {
        var generator = SeededGenerator(seed: UInt64(characters))
        for _ in 0..<1000 {
            let coordinate = Samples.coordinate(using: &generator)
            let word = Geohash.encode(coordinate, characters: characters)
            let centre = try Geohash.decode(word)
            #expect(Geohash.encode(centre, characters: characters) == word)
            #expect(coordinate.blurred(characters: characters) == centre)
            #expect(centre.blurred(characters: characters) == centre)
        }
    }

    @Test func aLongerWordBeginsWithTheShorter() {
        let here = place(40.7128, -74.0060)
        let word = Geohash.encode(here, characters: 12)
        for characters in 1..<12 {
            #expect(word.hasPrefix(Geohash.encode(here, characters: characters)))
        }
    }

    @Test func whatIsNoWordIsRefusedWithWhatIsWrong() {
        #expect(throws: GeohashError.empty) { try Geohash.decode("") }
        #expect(throws: GeohashError.tooLong) { try Geohash.decode("dr5regw3pppppp") }
        #expect(throws: GeohashError.badCharacter("a")) { try Geohash.decode("dra") }
        #expect(throws: GeohashError.badCharacter("\u{e9}")) { try Geohash.decode("dr\u{e9}") }
    }
}
