import Foundation
import LatticeChat
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
}
