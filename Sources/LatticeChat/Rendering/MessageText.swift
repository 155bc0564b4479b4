import LatticeCore

/// The text of a message in the lines in which it was written, made safe.
enum MessageText {
    /// What has more lines is run together from there on: nobody fills a screen with line ends.
    private static let linesMax = 64

    /// At least one line, each safe to be shown. Empty lines at the ends go, and of several in a row one stays.
    static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let safe = DisplayText.safe(String(line))
            let isEmpty = safe.allSatisfy(\.isWhitespace)
            if isEmpty, lines.last?.isEmpty ?? true { continue }
            if lines.count < linesMax {
                lines.append(isEmpty ? "" : safe)
            } else if !isEmpty {
                lines[linesMax - 1] += " \(safe)"
            }
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.isEmpty ? [""] : lines
    }

    /// All of it in one line, with a mark where another one begins: for pipes, where one message is one line.
    static func line(_ text: String) -> String {
        DisplayText.isolated(lines(text).filter { !$0.isEmpty }.joined(separator: " ⏎ "))
    }
}
