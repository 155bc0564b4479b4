import Foundation
import LatticeCore
import Testing

/// Dates for programs.
struct RFC3339Tests {
    @Test func knownDatesAreWrittenSo() {
        let dates: [(Int64, String)] = [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_799_999, "2000-02-29T23:59:59.999Z"), (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_704_067_199_001, "2023-12-31T23:59:59.001Z"), (1_795_253_400_250, "2026-11-21T09:30:00.250Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ]
        for (milliseconds, text) in dates {
            #expect(RFC3339.string(WallTime(milliseconds: milliseconds)) == text)
        }
    }

    @Test func itAgreesWithFoundation() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var generator = SeededGenerator(seed: 3_339)
        for _ in 0..<2_000 {
            let milliseconds = Int64.random(in: 0...253_402_300_799_999, using: &generator)
            let text = RFC3339.string(WallTime(milliseconds: milliseconds))
            // Foundation's seconds are floating-point, so they are compared to half a millisecond, and the text to a second.
            let read = try style.parse(text).timeIntervalSince1970
            #expect(abs(read - Double(milliseconds) / 1_000) < 0.000_5, "\(text)")
            let whole = Date(timeIntervalSince1970: Double(milliseconds / 1_000))
            #expect(text.prefix(19) == whole.formatted(Date.ISO8601FormatStyle()).prefix(19))
        }
    }

    /// A stranger's record can carry 48 bits of milliseconds, which go to the year 10889; RFC 3339 has four digits.
    @Test func datesBeyondWhatCanBeWrittenAreTheLastThatCan() {
        for milliseconds: Int64 in [253_402_300_800_000, (1 << 48) - 1, .max] {
            #expect(RFC3339.string(WallTime(milliseconds: milliseconds)) == "9999-12-31T23:59:59.999Z")
        }
        #expect(RFC3339.string(WallTime(milliseconds: -1)) == "1970-01-01T00:00:00.000Z")
        #expect(RFC3339.string(WallTime(milliseconds: .min)) == "1970-01-01T00:00:00.000Z")
    }

    @Test(arguments: [
        "2027-02-30T00:00:00Z", "2027-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T10:00:00.000Z",
        "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T10:60:00Z", "2026-01-01T10:00:61Z",
    ])
    func aDayThatIsNotThereIsNoDate(text: String) {
        #expect(RFC3339.read(text) == nil)
    }

    @Test func aLeapDayIsADate() {
        for text in ["2028-02-29T00:00:00Z", "2000-02-29T23:59:59.999Z"] { #expect(RFC3339.read(text) != nil) }
    }

    @Test func whatIsWrittenIsRead() {
        var generator = SeededGenerator(seed: 1_970)
        for _ in 0..<2_000 {
            let time = WallTime(milliseconds: Int64.random(in: 0...253_402_300_799_999, using: &generator))
            #expect(RFC3339.read(RFC3339.string(time)) == time)
        }
    }

    @Test(
        arguments: [
            ("2026-11-18T11:06:40Z", 1_795_000_000_000), ("2026-11-18T11:06:40.1Z", 1_795_000_000_100),
            ("2026-11-18T11:06:40.123999999Z", 1_795_000_000_123), ("2026-11-18T12:36:40+01:30", 1_795_000_000_000),
            ("2026-11-18T06:06:40.500-05:00", 1_795_000_000_500), ("1970-01-01T00:00:00Z", 0),
        ] as [(String, Int64)])
    func allFormsOfOneDateAreIt(text: String, milliseconds: Int64) {
        #expect(RFC3339.read(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "now", "2026-11-22", "2026-11-22T10:00:00", "2026-11-22 10:00:00Z", "2026-11-22T10:00Z",
        "2026-11-22T10:00:00.Z", "2026-11-22T10:00:00.1234567890Z", "2026-11-22T10:00:00+1",
        "2026-11-22T10:00:00+24:00",
        "2026-11-22T10:00:00ZZ", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        "２０２６-11-22T10:00:00Z", "+026-11-22T10:00:00Z",
    ])
    func whatHasAnotherFormIsNoDate(text: String) {
        #expect(RFC3339.read(text) == nil)
    }
}
