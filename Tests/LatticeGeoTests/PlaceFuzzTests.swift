import LatticeCore
import LatticeGeo
import Testing

/// Whatever is typed, pasted or sent: an answer, and no trap.
struct PlaceFuzzTests {
    private static let pieces: [String] = [
        "40", "7128", ".", ",", ";", " ", "-", "+", "−", "N", "S", "e", "w", "d", "m", "s", "°", "′", "″", "'", "\"",
        "’", "”",
        "geo:", "crs=", "wgs84", "u=", "dr5", "nan", "999999999999999999999999", "0", "60", "\u{0}", "é", "🗽",
        "\u{202e}",
        "١", "e5", "\n",
    ]

    @Test(arguments: 0..<8 as Range<UInt64>) func whatLooksLikeAPlaceNeverStopsTheProgram(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            let count = Int.random(in: 0...14, using: &generator)
            let text = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &generator) }.joined()
            answers(text)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func noBytesStopTheProgram(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let count = Int.random(in: 0...300, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            answers(String(decoding: bytes, as: UTF8.self))
            answers(String(decoding: bytes.map { 32 + $0 % 64 }, as: UTF8.self))
        }
    }

    /// A place, or a sentence.
    private func answers(_ text: String) {
        do throws(PlaceError) {
            _ = try PlaceParser.parse(text)
        } catch {
            #expect(!error.description.isEmpty)
        }
        do throws(DistanceError) {
            #expect(try DistanceText.parse(text) >= 0)
        } catch {
            #expect(!error.description.isEmpty)
        }
    }
}
