import LatticeChat

/// Makes words ready for the parser of arguments, and takes its traces away again.
package enum ArgumentWords {
    /// A coordinate in the south or a number below zero begins like an option. A blank before it says that it is none;
    /// whoever reads a place or a number drops it.
    package static func shielded(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<end].map { isNumber($0) ? " \($0)" : $0 } + words[end...]
    }

    /// Options that take a date.
    private static let dated: Set<String> = ["--starts", "--ends"]

    /// Whether the two words after an option are one date: `--starts tomorrow 20:00`.
    static func areOneDate(_ option: String, _ first: some StringProtocol, _ second: some StringProtocol) -> Bool {
        dated.contains(option) && DateText.isDate(first, second)
    }

    /// The words of a shell, a date of two words that was not quoted made one.
    package static func withDates(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        var joined: [String] = []
        for word in words[..<end] {
            if joined.count > 1, areOneDate(joined[joined.count - 2], joined[joined.count - 1], word) {
                joined[joined.count - 1] += " \(word)"
            } else {
                joined.append(word)
            }
        }
        return joined + words[end...]
    }

    /// Free text from its words, as it was typed but for the blanks between them.
    static func text(_ words: [String]) -> String {
        words.map { $0.hasPrefix(" ") && isNumber(String($0.dropFirst())) ? String($0.dropFirst()) : $0 }
            .joined(separator: " ")
    }

    /// What the parser says of the words, as they were typed, and of one that is missing in words of our own.
    ///
    /// - Parameter example: how the command is called, with everything that it needs.
    package static func told(_ message: String, example: String? = nil) -> String {
        guard message.hasPrefix("Missing expected argument '<"), let name = UsageField.name(in: message) else {
            return message.replacing("' -", with: "'-")
        }
        let wanted =
            switch name {
            case "id": "give an id from the list"
            case "text": "give a text"
            case "words": "give the words to look for"
            case "peer": "give a name or an id"
            case "file": "give a file"
            case "room": "give a room without its #, or in quotes (the shell takes #lobby for a comment)"
            default: "\(name) is missing"
            }
        return wanted + (example.map { ", such as: \($0)" } ?? "")
    }

    private static func isNumber(_ word: String) -> Bool {
        guard word.hasPrefix("-") else { return false }
        let rest = word.dropFirst().drop { $0 == "." }.first
        return rest.map { $0.isASCII && $0.isNumber } ?? false
    }
}
