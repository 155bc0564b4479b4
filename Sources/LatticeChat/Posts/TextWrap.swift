/// Wraps text into lines. Each line is self-contained: a direction isolate is closed at its end and reopened in the
/// next.
enum TextWrap {
    /// Breaks between words if possible, inside a word that is wider than a line.
    ///
    /// - Parameter columns: values below 1 count as 1.
    static func lines(_ text: String, columns: Int) -> [String] {
        let columns = max(1, columns)
        var lines: [String] = []
        var line = ""
        var width = 0
        for word in text.split(whereSeparator: \.isWhitespace) {
            var word = word
            var wordWidth = DisplayWidth.columns(of: String(word))
            if width > 0, width + 1 + wordWidth <= columns {
                line += " \(word)"
                width += 1 + wordWidth
                continue
            }
            if width > 0 { lines.append(line) }
            while wordWidth > columns {
                let piece = head(of: word, columns: columns)
                lines.append(String(piece))
                word = word[piece.endIndex...]
                wordWidth = DisplayWidth.columns(of: String(word))
            }
            (line, width) = (String(word), wordWidth)
        }
        return isolating(width > 0 || !line.isEmpty ? lines + [line] : lines)
    }

    /// Isolate marks take no column.
    private static func isolating(_ lines: [String]) -> [String] {
        let (open, close): (Unicode.Scalar, Unicode.Scalar) = ("\u{2068}", "\u{2069}")
        var isOpen = false
        return lines.map { line in
            let start = isOpen ? String(open) : ""
            for scalar in line.unicodeScalars {
                if scalar == open { isOpen = true }
                if scalar == close { isOpen = false }
            }
            return start + line + (isOpen ? String(close) : "")
        }
    }

    /// As many characters as fit, at least one.
    private static func head(of word: Substring, columns: Int) -> Substring {
        var width = 0
        var end = word.startIndex
        for index in word.indices {
            width += DisplayWidth.columns(of: word[index])
            if width > columns, end > word.startIndex { break }
            end = word.index(after: index)
        }
        return word[..<end]
    }
}
