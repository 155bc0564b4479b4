import LatticeCore
import LatticeGeo
import Testing

struct CoordinateTextTests {
    @Test func aCoordinateIsWrittenInThreeWays() {
        let here = place(40.7128, -74.0060)
        #expect(here.description == "40.71280,-74.00600")
        #expect(here.exactText == "40.7128000,-74.0060000")
        #expect(here.degreesMinutesSeconds == "40°42′46.1″N 74°0′21.6″W")
    }

    @Test func roundingCarriesAndLeavesNoMinusZero() {
        #expect(place(-0.0000049, 0.0000051).description == "0.00000,0.00001")
        #expect(place(-0.000005, 9.999995).description == "-0.00001,10.00000")
        #expect(place(-0.0000001, 0).exactText == "-0.0000001,0.0000000")
        #expect(place(90, 179.9999999).description == "90.00000,180.00000")
        #expect(place(1.9999999, -0.9999999).degreesMinutesSeconds == "2°0′0.0″N 1°0′0.0″W")
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<5000 {
            let here = Samples.coordinate(using: &generator)
            #expect(try PlaceParser.parse(here.exactText).coordinate == here)
            #expect(try PlaceParser.parse("geo:" + here.exactText).coordinate == here)
            #expect(try PlaceParser.parse(here.description).coordinate.distance(to: here) < 0.8)
            #expect(try PlaceParser.parse(here.degreesMinutesSeconds).coordinate.distance(to: here) < 2.2)
            for characters in 6...12 {
                let word = Geohash.encode(here, characters: characters)
                guard word.contains(where: \.isNumber), word.contains(where: \.isLetter) else { continue }
                let read = try PlaceParser.parse(word)
                #expect(read.coordinate == here.blurred(characters: characters))
                #expect(read.geohashCharacters == characters)
            }
        }
    }
}
