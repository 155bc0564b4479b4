import LatticeCore
import Testing

struct DisplayTextTests {
    @Test func latinLettersAreJudgedAsUnicodeSays() {
        for value in UInt32(0)..<0x300 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let category = scalar.properties.generalCategory
            #expect(DisplayText.isUnsafe(scalar) == [.control, .format].contains(category), "U+\(value)")
        }
    }

    @Test(arguments: ["", "hello", "Zoë", "日本", "👩‍👩‍👧", "می‌خواهم", "e\u{301}"])
    func ordinaryTextStaysAsItIs(text: String) {
        #expect(Array(DisplayText.safe(text).unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test(arguments: [
        ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"),
        ("\u{1B}]0;title\u{7}x", "]0;titlex"),
        ("\u{9B}2Jgone", "2Jgone"),
        ("a\u{8}\u{8}b", "ab"),
        ("a\u{0}b\u{7F}c", "abc"),
        ("a\tb\nc\r\nd", "a b c  d"),
        ("abc\u{202E}cba\u{202C}", "abccba"),
        ("\u{2066}a\u{2069}\u{200E}\u{200F}\u{61C}", "a"),
        ("a\u{2028}b\u{2029}c", "abc"),
        ("a\u{FEFF}b\u{FFF9}c", "abc"),
        ("a\u{E0001}\u{E0061}b", "ab"),
        ("a\u{2065}b", "ab"),
    ])
    func whatCouldMoveACursorOrTurnALineIsDropped(text: String, safe: String) {
        #expect(DisplayText.safe(text) == safe)
    }

    @Test func noScalarThatIsUnsafeSurvives() {
        var text = String.UnicodeScalarView()
        for value in 0...0x1_0FFF as ClosedRange<UInt32> {
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        let safe = DisplayText.safe(String(text))
        #expect(!safe.unicodeScalars.contains(where: DisplayText.isUnsafe))
        #expect(DisplayText.safe(safe) == safe)
    }

    @Test func onlyRightToLeftTextIsIsolated() {
        #expect(DisplayText.isolated("hello") == "hello")
        #expect(DisplayText.isolated("שלום") == "\u{2068}שלום\u{2069}")
        #expect(DisplayText.isolated("a مرحبا b") == "\u{2068}a مرحبا b\u{2069}")
        #expect(DisplayText.isolated("日本") == "日本")
    }

    /// Somebody who closes our isolate would be outside of it.
    @Test func anIsolateCannotBeClosedFromWithin() {
        #expect(DisplayText.isolated("\u{2069}ש\u{202E}x") == "\u{2068}שx\u{2069}")
    }
}
