package import LatticeCore

/// How a person names a line that was said: by its short number, by the id of its record, or by whose last line it is.
package enum LineTarget: Hashable, Sendable {
    case number(Int)
    case record(RecordID)
    /// The last line of somebody.
    case author(String)
    /// The last line that is meant without a word: my own to edit or delete, somebody else's to react to.
    case last

    /// - Returns: `nil` if the word is neither a number from 1 to 99 nor a whole id.
    init?(_ word: some StringProtocol) {
        if let record = RecordID(hex: word.lowercased()) {
            self = .record(record)
        } else if word.utf8.count <= 2, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(word),
            (1...NumberedLines.numberMax).contains(number)
        {
            self = .number(number)
        } else {
            return nil
        }
    }

    /// What `/edit` or `/delete` is about, if it is a line: posts have those commands, too, and name an id of at least four
    /// digits. A whole id may be of either.
    static func isOfLine(_ rest: String) -> Bool {
        guard let word = rest.split(whereSeparator: \.isWhitespace).first else { return true }
        if LineTarget(word) != nil { return true }
        return !(word.utf8.count >= 4 && word.utf8.allSatisfy(Hex.isDigit)) && !word.hasPrefix("-")
    }
}
