internal import LatticeCore

/// Several pasted lines that await Enter. They are sent as one message, or as few as they fit in.
package struct PastePreview: Equatable, Sendable {
    /// At least 2 lines, made safe, including what was typed before and after the paste.
    let lines: [String]
    let messages: [String]
    /// The command to run instead, if the beginning of one was typed before the paste.
    let command: String?

    /// The lines of a paste, made safe, without empty ones at its end.
    static func lines(of text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { DisplayText.safe(String($0)) }
        while lines.count > 1, lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        return lines
    }

    /// `nil` if a line, or the command, is too long.
    ///
    /// - Parameters:
    ///   - bytesMax: limit for a message.
    ///   - lineBytesMax: limit for a command.
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

    /// Packs as many lines into each message as fit.
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

    var prompt: String {
        let parts = messages.count > 1 ? " as \(messages.count) messages" : ""
        return "Send \(lines.count) lines\(parts)? Enter sends, Ctrl-C drops: "
    }

    /// The lines to show above the prompt: the first ones, and how many there are.
    ///
    /// - Parameter rows: height of the terminal.
    package func shown(rows: Int) -> [String] {
        let countMax = max(1, rows / 2 - 2)
        let head = "Pasted \(lines.count) lines:"
        let first = lines.prefix(lines.count > countMax ? countMax : lines.count).map { "  \($0)" }
        let rest = lines.count - first.count
        return [head] + first + (rest > 0 ? ["  … and \(rest) more"] : [])
    }
}
