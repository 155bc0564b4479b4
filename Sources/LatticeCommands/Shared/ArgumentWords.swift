import LatticeChat

/// Prepares words for the argument parser, and removes the traces of that afterwards.
package enum ArgumentWords {
    /// A southern coordinate or a negative number looks like an option. A blank before it marks it as a value; the parsers of
    /// places and numbers drop the blank.
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

    /// The shell's words, with unquoted dates of two words joined.
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

    /// Free text from its words, as typed except for the blanks between them.
    static func text(_ words: [String]) -> String {
        words.map { $0.hasPrefix(" ") && isNumber(String($0.dropFirst())) ? String($0.dropFirst()) : $0 }
            .joined(separator: " ")
    }

    /// The parser's message with the words as typed; for a missing argument, our own words.
    ///
    /// - Parameter example: a complete call of the command.
    package static func told(_ message: String, example: String? = nil) -> String {
        guard message.hasPrefix("Missing expected argument '<"), let name = UsageField.name(in: message) else {
            return shortened(message.replacing("' -", with: "'-"))
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

    /// A value that is far too long is not repeated whole.
    private static func shortened(_ message: String) -> String {
        guard message.utf8.count > 400, let start = message.firstIndex(of: "'"),
            let end = message.firstRange(of: "' is invalid")?.lowerBound,
            let cut = message.index(start, offsetBy: 60, limitedBy: end)
        else { return message }
        return "\(message[..<cut])…\(message[end...])"
    }

    private static func isNumber(_ word: String) -> Bool {
        guard word.hasPrefix("-") else { return false }
        let rest = word.dropFirst().drop { $0 == "." }.first
        return rest.map { $0.isASCII && $0.isNumber } ?? false
    }
}
