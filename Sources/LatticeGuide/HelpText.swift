import LatticeChat

/// Properties of the output for a help page.
package struct HelpScreen {
    package let columns: Int
    package let hasColor: Bool

    /// Longer lines are hard to read.
    static let columnsMax = 100

    package init(columns: Int, hasColor: Bool = false) {
        self.columns = min(max(columns, 20), Self.columnsMax)
        self.hasColor = hasColor
    }

    package func heading(_ text: String) -> String { styled(text, "1") }
    func strong(_ text: String) -> String { styled(text, "1") }
    package func code(_ text: String) -> String { styled(text, "36") }

    private func styled(_ text: String, _ style: String) -> String {
        hasColor ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
    }

    /// Wraps words into lines. A word that is too long gets a line of its own.
    ///
    /// - Parameters:
    ///   - first: text before the first line.
    ///   - indent: blanks before the other lines.
    package func wrapped(_ text: String, first: String = "", indent: Int = 0) -> [String] {
        var lines: [String] = []
        var line = first
        var width = StyledText.columns(of: first)
        var isEmpty = true
        for word in text.split(separator: " ") {
            let wordWidth = StyledText.columns(of: String(word))
            if isEmpty {
                line += word
                width += wordWidth
                isEmpty = false
            } else if width + 1 + wordWidth <= columns {
                line += " \(word)"
                width += 1 + wordWidth
            } else {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
                width = indent + wordWidth
            }
        }
        return (lines + [line]).map { line in
            let text = line.replacing(Self.fixedBlank, with: " ")
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// A blank that is never broken.
    package static let fixedBlank = "\u{A0}"

    /// Terms and meanings, side by side if that fits.
    package func definitions(_ rows: [(term: String, meaning: String)], indent: Int = 2) -> [String] {
        let widths = rows.map { StyledText.columns(of: $0.term) }
        let width = min(widths.max() ?? 0, max(12, columns * 2 / 5))
        let isNarrow = columns - indent - width < 24
        let edge = isNarrow ? indent + 4 : indent + width + 2
        return zip(rows, widths).flatMap { row, termWidth -> [String] in
            let term = String(repeating: " ", count: indent) + row.term
            guard !row.meaning.isEmpty else { return wrapped(row.term, first: String(repeating: " ", count: indent)) }
            if isNarrow || termWidth > width {
                return wrapped(row.term, first: String(repeating: " ", count: indent), indent: indent + 2)
                    + wrapped(row.meaning, first: String(repeating: " ", count: edge), indent: edge)
            }
            let gap = String(repeating: " ", count: edge - indent - termWidth)
            return wrapped(row.meaning, first: term + gap, indent: edge)
        }
    }
}

package struct ArticleText {
    let screen: HelpScreen

    package init(screen: HelpScreen) {
        self.screen = screen
    }

    package func lines(_ article: GuideArticle) -> [String] { article.blocks.flatMap { lines($0) + [""] }.dropLast() }

    private func lines(_ block: MarkdownBlock) -> [String] {
        switch block {
        case .heading(1, let text): [screen.heading(text.uppercased())]
        case .heading(_, let text): [screen.heading(text)]
        case .paragraph(let spans): screen.wrapped(text(spans, isProse: true))
        case .code(let lines): lines.map { "    \($0)" }
        case .list(let items, let isNumbered):
            items.enumerated().flatMap { index, item in
                let mark = isNumbered ? "\(index + 1). " : "- "
                return screen.wrapped(text(item, isProse: true), first: mark, indent: mark.count)
            }
        case .table(let rows): table(rows)
        }
    }

    /// - Parameter isProse: whether code stands in a sentence, where only colour or quotes set it apart.
    private func text(_ spans: [MarkdownSpan], isProse: Bool) -> String {
        spans.map { span in
            switch span {
            case .text(let text): return text
            case .strong(let text): return screen.strong(text)
            case .code(let text):
                let isQuoted = isProse && !screen.hasColor && text.contains(" ")
                // Short commands are not broken across lines.
                let code = screen.code(text.count > 30 ? text : text.replacing(" ", with: HelpScreen.fixedBlank))
                return isQuoted ? "'\(code)'" : code
            case .link(let text, let target): return text + place(target, text)
            }
        }.joined()
    }

    /// The target of a link in words, for a terminal.
    private func place(_ target: String, _ text: String) -> String {
        guard target != text, !target.hasPrefix("#") else { return "" }
        guard target.hasSuffix(".md") else { return " (\(target))" }
        let file = target.split(separator: "/").last.map(String.init) ?? target
        guard !target.contains("/") else { return " (\(file))" }
        let topic = GuideArticle.topic(of: String(file.dropLast(3)))
        return " (\(screen.code("lattice\(HelpScreen.fixedBlank)help\(HelpScreen.fixedBlank)\(topic)")))"
    }

    private func table(_ rows: [[[MarkdownSpan]]]) -> [String] {
        let cells = rows.map { $0.map { text($0, isProse: false) } }
        guard let head = cells.first else { return [] }
        let body = cells.dropFirst()
        if head.count == 2 { return screen.definitions(body.map { ($0[0], $0[1]) }) }
        if head.count == 3, !head[0].isEmpty { return screen.definitions(body.map { asDefinition($0, of: head[2]) }) }
        let widths = head.indices.map { column in cells.map { StyledText.columns(of: $0[column]) }.max() ?? 0 }
        let last = screen.columns - 2 - widths.dropLast().reduce(0) { $0 + $1 + 2 }
        guard last >= min(widths.last ?? 0, 24) else { return body.flatMap { blocks(of: $0, under: head) } }
        return cells.flatMap { row -> [String] in
            var line = "  "
            for (cell, width) in zip(row.dropLast(), widths) {
                line += cell + String(repeating: " ", count: width - StyledText.columns(of: cell) + 2)
            }
            let lines = screen.wrapped(row.last ?? "", first: line, indent: screen.columns - last)
            return lines.map { String($0.reversed().drop { $0 == " " }.reversed()) }
        }
    }

    /// Turns three columns into two; the third becomes a remark on the second: `who you are (default: the login name)`.
    private func asDefinition(_ row: [String], of remark: String) -> (term: String, meaning: String) {
        (row[0], row[2].isEmpty ? row[1] : "\(row[1]) (\(remark): \(row[2]))")
    }

    /// A row that is too wide: its first cell, and below it the others with their headings.
    private func blocks(of row: [String], under head: [String]) -> [String] {
        let rest = zip(head, row).dropFirst().filter { !["", "–"].contains($0.1) }
        return screen.wrapped(row[0], first: "  ", indent: 4)
            + rest.flatMap { screen.wrapped($0.0.isEmpty ? $0.1 : "\($0.0): \($0.1)", first: "    ", indent: 6) }
    }
}
