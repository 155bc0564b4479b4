import LatticeCore

/// The text of a message in its own lines, made safe.
enum MessageText {
    /// Further lines are joined with this one, so that nobody fills a screen with line breaks.
    private static let linesMax = 64

    /// Returns at least one line, each safe to show. Drops empty lines at both ends and merges runs of them.
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

    /// The whole text on one line, with a mark for each line break: in a pipe one message is one line.
    static func line(_ text: String) -> String {
        DisplayText.isolated(lines(text).filter { !$0.isEmpty }.joined(separator: " ⏎ "))
    }
}
