import LatticeCore

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

/// Names that nobody else can have now.
struct VisitorNames: Sendable {
    /// Folded names of people who are not in the book yet, or are being renamed.
    private(set) var reserved: Set<String> = []

    mutating func reserve(_ folded: String) { reserved.insert(folded) }

    mutating func release(_ folded: String) { reserved.remove(folded) }

    /// - Parameter others: folded names of people who are no visitors.
    func isTaken(_ name: String, _ others: Set<String>, _ book: VisitorBook) -> Bool {
        let folded = VisitorName.folded(name)
        return others.contains(folded) || reserved.contains(folded) || book.isTaken(folded)
    }

    /// With two names that are free.
    func refusal(of name: PeerName, _ others: Set<String>, _ book: VisitorBook) -> HTTPProblem {
        let free = (2...1_000).lazy.map { "\(name.text) \($0)" }.filter { !self.isTaken($0, others, book) }.prefix(2)
        return HTTPProblem(
            409, "nameTaken", "Somebody here is already called \(name.text). Take another name.",
            faults: free.map { HTTPProblem.Fault("name", $0) })
    }
}
