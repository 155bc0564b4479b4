import LatticeChat
import Testing

struct TerminalWidthTests {
    @Test(arguments: [
        ("a", 1), ("é", 1), ("e\u{301}", 1), ("\u{301}", 0), ("漢", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("가", 2), ("ก", 1), ("กำ", 2), ("क्ष", 2), ("☺", 1), ("☺\u{FE0F}", 2),
        ("❤", 1), ("❤️", 2), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🏳️‍🌈", 2), ("🇩🇪", 2), ("🇩", 1), ("1️⃣", 2), ("1", 1),
        ("#", 1), ("1\u{200D}", 1), ("\u{200B}", 0), ("\u{1B}", 0), ("\u{85}", 0), ("…", 1), ("─", 1), ("、", 2),
        ("𠀀", 2), ("©", 1), ("™️", 2),
    ])
    func aClusterTakesItsColumns(text: String, columns: Int) {
        #expect(text.count == 1)
        #expect(DisplayWidth.columns(of: text) == columns)
    }

    @Test func aStringTakesWhatItsClustersTake() {
        #expect(DisplayWidth.columns(of: "a漢🇩🇪e\u{301}👩‍👩‍👧") == 8)
    }

    @Test func coloursTakeNoColumns() {
        #expect(StyledText.columns(of: "\u{1B}[1;32mme漢>\u{1B}[0m ") == 6)
        #expect(StyledText.columns(of: "\u{1B}[2Ja\u{1B}") == 1)
    }
}
