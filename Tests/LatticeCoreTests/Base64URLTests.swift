import LatticeCore
import Testing

struct Base64URLTests {
    /// RFC 4648 section 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func thePublishedVectorsAreMet(plain: String, text: String) {
        #expect(Base64URL.string(Array(plain.utf8)) == text)
        #expect(Base64URL.bytes(text) == Array(plain.utf8))
    }

    @Test func theLastTwoDigitsAreSafeInLinks() {
        #expect(Base64URL.string([0xFB, 0xFF]) == "-_8")
        #expect(Base64URL.bytes("-_8") == [0xFB, 0xFF])
    }

    @Test(arguments: ["Z", "Zg==", "Zh", "Zm9", "+/8", "Zm 9", "Zm9vY", "é"])
    func whatNoBytesAreWrittenAsIsRefused(text: String) {
        #expect(Base64URL.bytes(text) == nil)
    }

    @Test func anyBytesSurvive() {
        var dice = SeededGenerator(seed: 1)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
            #expect(Base64URL.bytes(Base64URL.string(bytes)) == bytes)
        }
    }
}
