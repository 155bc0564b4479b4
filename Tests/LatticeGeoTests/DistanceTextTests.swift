import LatticeGeo
import Testing

struct DistanceTextTests {
    static let written: [(Double, String)] = [
        (0, "0 m"), (-3, "0 m"), (0.4, "0 m"), (18.2, "18 m"), (180, "180 m"), (999.4, "999 m"), (999.5, "1.0 km"),
        (1000, "1.0 km"), (1849, "1.8 km"), (1850, "1.9 km"), (9949, "9.9 km"), (9950, "10 km"), (23_400, "23 km"),
        (999_499, "999 km"), (999_500, "1,000 km"), (1_204_000, "1,204 km"), (20_015_115, "20,015 km"),
        (.nan, "unknown distance"), (.infinity, "unknown distance"), (1e300, "1,000,000,000 km"),
    ]

    @Test(arguments: written) func aDistanceIsWrittenToThreeDigits(_ metres: Double, _ text: String) {
        #expect(DistanceText.string(metres) == text)
    }

    static let read: [(String, Double)] = [
        ("250m", 250), ("250 m", 250), (" 2km ", 2000), ("1.5 km", 1500), ("500m", 500), ("0", 0), ("+5 km", 5000),
        ("800ft", 243.84), ("1mi", 1609.344), ("1 MILE", 1609.344), ("10 yd", 9.144), ("3 metres", 3),
        ("1 kilometer", 1000),
        (".5km", 500), ("2.km", 2000), ("1,204 km", 1_204_000), ("1,204.5 m", 1204.5), ("20015 km", 20_015_000),
    ]

    @Test(arguments: read) func aDistanceIsReadAsPeopleWriteIt(_ text: String, _ metres: Double) throws {
        #expect(abs(try DistanceText.parse(text) - metres) < 1e-9 * max(1, metres))
    }

    static let refused: [(String, DistanceError)] = [
        ("", .empty), ("  \t", .empty), ("far", .notADistance), ("km", .notADistance), (".", .notADistance),
        ("1.2.3 km", .notADistance), ("-5 m", .negative), ("1,5 km", .decimalComma), ("0,250 km", .decimalComma),
        ("1.5,000", .decimalComma), ("12,34 km", .decimalComma), ("5 parsec", .unknownUnit), ("1e3", .unknownUnit),
        ("5 k m", .unknownUnit), ("nan", .notADistance), ("inf", .notADistance), ("20016 km", .tooFar),
        ("99999999999999999999999999 km", .tooFar), (String(repeating: "1", count: 65), .notADistance),
        ("٢ km", .notADistance), ("2", .unitMissing("2")), (" 1.5 ", .unitMissing("1.5")),
        ("1,204", .unitMissing("1,204")),
    ]

    @Test(arguments: refused) func whatIsNoDistanceIsRefusedWithWhatToWrite(_ text: String, _ error: DistanceError) {
        #expect(throws: error) { try DistanceText.parse(text) }
        #expect(error.description.contains("; "))
    }

    @Test func whatIsWrittenCanBeRead() throws {
        for (metres, text) in Self.written where metres.isFinite && metres < 2e7 {
            #expect(abs(try DistanceText.parse(text) - max(0, metres)) <= max(0.5, metres * 0.05))
        }
    }
}
