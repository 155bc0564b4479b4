internal import LatticeCore

/// Several lines that were pasted at once and wait to be sent: as one message of several lines, or as few as they fit in.
package struct PastePreview: Equatable, Sendable {
    /// Made safe, what was typed before and after the paste included; at least 2.
    let lines: [String]
    /// What is sent, where it is text.
    let messages: [String]
    /// What is carried out instead: the user had typed the beginning of a command before the paste.
    let command: String?

    /// The lines of a paste without the empty ones at its end, each made safe.
    static func lines(of text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { DisplayText.safe(String($0)) }
        while lines.count > 1, lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        return lines
    }

    /// `nil` where a line, or the command that begins it, is too long to be sent.
    ///
    /// - Parameters:
    ///   - bytesMax: of a message.
    ///   - lineBytesMax: of a command.
    init?(_ pasted: [String], before: String, after: String, bytesMax: Int, lineBytesMax: Int) {
        precondition(pasted.count > 1, "a single line needs no preview")
        var lines = pasted
        lines[0] = before + lines[0]
        lines[lines.count - 1] += after
        self.lines = lines
        if before.hasPrefix("/"), !before.hasPrefix("//") {
            let command = lines.joined(separator: "\n")
            guard command.utf8.count <= lineBytesMax else { return nil }
            (messages, self.command) = ([], command)
            return
        }
        if before.hasPrefix("//") { lines[0].removeFirst() }
        guard lines.allSatisfy({ $0.utf8.count <= bytesMax }) else { return nil }
        (messages, command) = (Self.packed(lines, bytesMax: bytesMax), nil)
    }

    /// As many lines in a message as it can hold.
    private static func packed(_ lines: [String], bytesMax: Int) -> [String] {
        var messages = [lines[0]]
        for line in lines.dropFirst() {
            let last = messages.count - 1
            if messages[last].utf8.count + 1 + line.utf8.count <= bytesMax {
                messages[last] += "\n" + line
            } else {
                messages.append(line)
            }
        }
        return messages
    }

    /// The question that stands in place of the prompt.
    var prompt: String {
        let parts = messages.count > 1 ? " as \(messages.count) messages" : ""
        return "Send \(lines.count) lines\(parts)? Enter sends, Ctrl-C drops: "
    }

    /// What is shown above it: the first lines, and how many there are.
    ///
    /// - Parameter rows: of the terminal.
    package func shown(rows: Int) -> [String] {
        let countMax = max(1, rows / 2 - 2)
        let head = "Pasted \(lines.count) lines:"
        let first = lines.prefix(lines.count > countMax ? countMax : lines.count).map { "  \($0)" }
        let rest = lines.count - first.count
        return [head] + first + (rest > 0 ? ["  … and \(rest) more"] : [])
    }
}
