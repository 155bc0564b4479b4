import LatticeCore
import LatticeGeo
import Testing

struct PlaceParserTests {
    static let read: [(String, String)] = [
        ("40.7128,-74.0060", "40.7128000,-74.0060000"),
        ("  40.7128 -74.0060\n", "40.7128000,-74.0060000"),
        ("40.7128, -74.0060", "40.7128000,-74.0060000"),
        ("40.7128 , -74.0060", "40.7128000,-74.0060000"),
        ("40.7128;-74.0060", "40.7128000,-74.0060000"),
        ("+40.7128 +74.0060", "40.7128000,74.0060000"),
        ("40.7128 74.0060", "40.7128000,74.0060000"),
        ("40 74", "40.0000000,74.0000000"),
        ("-40 74", "-40.0000000,74.0000000"),
        ("40 -74", "40.0000000,-74.0000000"),
        ("−33.8688,151.2093", "-33.8688000,151.2093000"),
        ("40.7128N 74.0060W", "40.7128000,-74.0060000"),
        ("40.7128 n, 74.0060 w", "40.7128000,-74.0060000"),
        ("74.0060W 40.7128N", "40.7128000,-74.0060000"),
        ("N40.7128 W74.0060", "40.7128000,-74.0060000"),
        ("N 40.7128, W 74.0060", "40.7128000,-74.0060000"),
        ("W74.0060,N40.7128", "40.7128000,-74.0060000"),
        ("33.8688S 151.2093E", "-33.8688000,151.2093000"),
        ("40.7128°, -74.0060°", "40.7128000,-74.0060000"),
        ("40.7128° N 74.0060° W", "40.7128000,-74.0060000"),
        ("40°42′46″N 74°0′22″W", "40.7127778,-74.0061111"),
        ("40°42'46\"N 74°0'22\"W", "40.7127778,-74.0061111"),
        ("40° 42’ 46” N, 74° 0’ 22” W", "40.7127778,-74.0061111"),
        ("40º42'46''N 74º0'22''W", "40.7127778,-74.0061111"),
        ("N40°42′46″ W74°0′22″", "40.7127778,-74.0061111"),
        ("40°42′46″ -74°0′22″", "40.7127778,-74.0061111"),
        ("40d42m46sN 74d0m22sW", "40.7127778,-74.0061111"),
        ("40d42m46s N, 74d0m22s W", "40.7127778,-74.0061111"),
        ("40d 42m 46s, -74d 0m 22s", "40.7127778,-74.0061111"),
        ("33d51m25sS 151d12m33sE", "-33.8569444,151.2091667"),
        ("33°51′S 151°12′E", "-33.8500000,151.2000000"),
        ("33°51'25S 151°12'33E", "-33.8569444,151.2091667"),
        ("40°42.767′N 74°0.366′W", "40.7127833,-74.0061000"),
        ("40 42.767 -74 0.366", "40.7127833,-74.0061000"),
        ("40 42.767N 74 0.366W", "40.7127833,-74.0061000"),
        ("40 42 46 74 0 22", "40.7127778,74.0061111"),
        ("N 40 42 46 W 74 0 22", "40.7127778,-74.0061111"),
        ("40 42, 74 0", "40.7000000,74.0000000"),
        (".5,-.5", "0.5000000,-0.5000000"),
        ("40.,74.", "40.0000000,74.0000000"),
        ("90,180", "90.0000000,-180.0000000"),
        ("-0,-0", "0.0000000,0.0000000"),
        ("geo:40.7128,-74.0060", "40.7128000,-74.0060000"),
        ("GEO:40.7128,-74.0060,17;crs=WGS84;u=35;label=x", "40.7128000,-74.0060000"),
        ("geo:90,0", "90.0000000,0.0000000"),
    ]

    @Test(arguments: read) func aPlaceIsReadAsPeopleWriteIt(_ text: String, _ exact: String) throws {
        let place = try PlaceParser.parse(text)
        #expect(place.coordinate.exactText == exact)
        #expect(place.geohashCharacters == nil)
    }

    @Test(arguments: ["dr5regw3p", "DR5REGW3P", " dr5r ", "s00000000000", "9q8y", "0000b"])
    func aGeohashIsTheMiddleOfItsCell(_ text: String) throws {
        let place = try PlaceParser.parse(text)
        let word = text.lowercased().filter { !$0.isWhitespace }
        #expect(place.geohashCharacters == word.count)
        #expect(Geohash.encode(place.coordinate, characters: word.count) == word)
    }

    static let refused: [(String, PlaceError)] = [
        ("", .empty), (" \u{a0}\t\n", .empty), (String(repeating: "4", count: 257), .tooLong),
        ("nan,nan", .unreadable), ("inf,0", .unreadable), ("1e2,3", .unreadable), ("0x10,3", .unreadable),
        ("park", .unreadable), ("new york", .unreadable), ("bench", .unreadable), ("1st", .unreadable),
        ("dr5", .unreadable), ("dr5regw3pzzzz", .unreadable), (",", .unreadable), (",1", .unreadable),
        ("1,2,3.5", .unreadable), ("1,2 3.5 4", .unreadable), ("1.2.3,4", .unreadable), (".,.", .unreadable),
        ("--1,2", .unreadable), ("1,", .onlyOneNumber), ("1-", .unreadable), ("N", .unreadable), ("N,W", .unreadable),
        ("NN40 W74", .unreadable), ("40N W74", .unreadable), ("40 42″,74", .unreadable),
        ("40.7128", .onlyOneNumber), ("12345", .onlyOneNumber), ("40N", .onlyOneNumber), ("w123", .onlyOneNumber),
        ("40d42m46s", .onlyOneNumber), ("40°42′46″N", .onlyOneNumber), ("1 2 3", .onlyOneNumber),
        ("40,7128;-74,0060", .decimalComma), ("40,7128 -74,0060", .decimalComma), ("40,7128,-74,0060", .decimalComma),
        ("91,45", .latitudeOutOfRange(91, swapped: place(45, 91))), ("91,91", .latitudeOutOfRange(91, swapped: nil)),
        ("-90.0000001,0", .latitudeOutOfRange(-90.0000001, swapped: place(0, -90.0000001))),
        ("91N 45E", .latitudeOutOfRange(91, swapped: nil)), ("45,181", .longitudeOutOfRange(181)),
        ("40,7128", .longitudeOutOfRange(7128)), ("45N 181W", .longitudeOutOfRange(-181)),
        ("40°60′N 74°0′W", .minutesOutOfRange), ("40°0′60″N 74°0′W", .minutesOutOfRange),
        ("-40N 74W", .signAndLetter), ("N-40 W74", .signAndLetter), ("40N 74", .lettersDoNotPair),
        ("40 74W", .onlyOneNumber), ("40N 74S", .lettersDoNotPair), ("40,74W", .lettersDoNotPair),
        ("geo:40.7", .onlyOneNumber), ("geo:", .onlyOneNumber), ("geo:1,2,3,4", .decimalComma),
        ("geo:1,2;crs=nad27", .otherReferenceSystem), ("geo:1,2;u=-1", .unreadable), ("geo:1,2;u", .unreadable),
        ("geo:1,2;", .unreadable), ("geo:+1,2", .unreadable), ("geo:1,x", .unreadable), ("geo: 1,2", .unreadable),
        ("geo:95,45", .latitudeOutOfRange(95, swapped: place(45, 95))), ("geo:0,0?q=1,2", .unreadable),
    ]

    @Test(arguments: refused) func whatIsNoPlaceIsRefusedWithWhatToWrite(_ text: String, _ error: PlaceError) {
        #expect(throws: error) { try PlaceParser.parse(text) }
    }

    @Test func aRefusalSaysWhatToWrite() {
        #expect(
            PlaceError.latitudeOutOfRange(91, swapped: place(45, 91)).description
                == "a latitude is between -90 and 90; did you mean 45.0,91.0? Latitude comes first.")
        #expect(PlaceError.empty.description.contains("40.7128,-74.0060"))
        #expect(PlaceError.unreadable.description.contains("dr5regw3p"))
    }
}
