/// Names as people tell them apart: one that looks like another is that other.
enum VisitorName {
    /// Letters that look like Latin ones, of Cyrillic and Greek, and the dotless i (Unicode Technical Standard #39, the most common ones).
    private static let lookalikes: [Character: Character] = [
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "к": "k", "ӏ": "l", "м": "m",
        "н": "h", "о": "o", "р": "p", "ԛ": "q", "г": "r", "ѕ": "s", "т": "t", "ԝ": "w", "х": "x", "у": "y", "α": "a",
        "ε": "e", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u", "χ": "x", "ı": "i", "ł": "l",
    ]
    /// Letters of East Asian width, U+FF01 to U+FF5E, are those of ASCII.
    private static let wide: ClosedRange<UInt32> = 0xFF01...0xFF5E
    private static let wideOffset: UInt32 = 0xFEE0

    /// In lower case, without blanks and signs, with one letter for those that look alike. A name of signs alone is itself.
    static func folded(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let narrow = wide.contains(scalar.value) ? Unicode.Scalar(scalar.value - wideOffset) : scalar
            scalars.append(narrow ?? scalar)
        }
        let characters = String(scalars).lowercased().map { lookalikes[$0] ?? $0 }.filter { $0.isLetter || $0.isNumber }
        return characters.isEmpty ? name : String(characters)
    }
}
