enum MarkdownBlock: Equatable {
    case heading(Int, String)
    case paragraph([MarkdownSpan])
    /// Bullets, or numbers if `isNumbered`.
    case list([[MarkdownSpan]], isNumbered: Bool)
    /// The first row is the header.
    case table([[[MarkdownSpan]]])
    case code([String])

    var spans: [MarkdownSpan] {
        switch self {
        case .heading, .code: []
        case .paragraph(let spans): spans
        case .list(let items, _): items.flatMap(\.self)
        case .table(let rows): rows.flatMap(\.self).flatMap(\.self)
        }
    }
}

enum MarkdownSpan: Equatable {
    case text(String)
    case code(String)
    case strong(String)
    case link(String, target: String)

    var plain: String {
        switch self {
        case .text(let text), .code(let text), .strong(let text), .link(let text, _): text
        }
    }
}

/// Parses the Markdown of the guide: headings, paragraphs, lists of one level, tables, fenced code, and inline code,
/// strong text and links. Skips comments and pictures.
enum Markdown {
    static func blocks(_ text: String) -> [MarkdownBlock] {
        var reader = Reader(lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        return reader.blocks()
    }

    private struct Reader {
        let lines: [String]
        private var next = 0

        init(lines: [String]) { self.lines = lines }

        mutating func blocks() -> [MarkdownBlock] {
            var blocks: [MarkdownBlock] = []
            while next < lines.count {
                let line = lines[next]
                if line.isEmpty || line.hasPrefix("<!--") || line.hasPrefix("![") {
                    next += 1
                } else if line.hasPrefix("```") {
                    blocks.append(code())
                } else if line.hasPrefix("#") {
                    next += 1
                    let level = line.prefix { $0 == "#" }.count
                    blocks.append(.heading(level, Markdown.spans(line.dropFirst(level + 1)).map(\.plain).joined()))
                } else if line.hasPrefix("|") {
                    blocks.append(table())
                } else if Self.mark(of: line) != nil {
                    blocks.append(list())
                } else {
                    blocks.append(.paragraph(Markdown.spans(paragraph())))
                }
            }
            return blocks
        }

        private mutating func code() -> MarkdownBlock {
            let inside = lines[(next + 1)...].prefix { !$0.hasPrefix("```") }
            next = min(lines.count, inside.endIndex + 1)
            return .code(Array(inside))
        }

        private mutating func table() -> MarkdownBlock {
            var rows: [[[MarkdownSpan]]] = []
            while next < lines.count, lines[next].hasPrefix("|") {
                let cells = Self.cells(lines[next])
                next += 1
                let isRule = cells.allSatisfy { !$0.isEmpty && $0.allSatisfy { "-:".contains($0) } }
                if !isRule { rows.append(cells.map { Markdown.spans($0) }) }
            }
            return .table(rows)
        }

        /// In a cell, `\|` is a bar.
        private static func cells(_ line: String) -> [String] {
            var cells = [""]
            var isEscaped = false
            for character in line.dropFirst() {
                if character == "|", !isEscaped {
                    cells.append("")
                } else if character == "|" {
                    cells[cells.count - 1].removeLast()
                    cells[cells.count - 1].append(character)
                } else {
                    cells[cells.count - 1].append(character)
                }
                isEscaped = character == "\\"
            }
            return cells.dropLast().map(Markdown.trimmed)
        }

        private mutating func list() -> MarkdownBlock {
            let isNumbered = lines[next].first?.isNumber == true
            var items: [[MarkdownSpan]] = []
            while next < lines.count, let mark = Self.mark(of: lines[next]) {
                items.append(Markdown.spans(paragraph(dropping: mark)))
            }
            return .list(items, isNumbered: isNumbered)
        }

        /// Length of the marker of a list item, including its blank.
        private static func mark(of line: String) -> Int? {
            if line.hasPrefix("- ") { return 2 }
            let digits = line.prefix(while: \.isNumber).count
            return digits > 0 && line.dropFirst(digits).hasPrefix(". ") ? digits + 2 : nil
        }

        /// Lines up to an empty one or the start of another block.
        private mutating func paragraph(dropping mark: Int = 0) -> String {
            var text = Markdown.trimmed(String(lines[next].dropFirst(mark)))
            next += 1
            while next < lines.count {
                let line = lines[next]
                let isEnd = line.isEmpty || ["```", "|", "#", "<!--"].contains { line.hasPrefix($0) }
                if isEnd || Self.mark(of: line) != nil { break }
                text += " \(Markdown.trimmed(line))"
                next += 1
            }
            return text
        }
    }

    fileprivate static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    static func spans(_ text: some StringProtocol) -> [MarkdownSpan] {
        var spans: [MarkdownSpan] = []
        var plain = ""
        var rest = Substring(text)
        func take(_ span: MarkdownSpan, _ end: Substring.Index) {
            if !plain.isEmpty { spans.append(.text(plain)) }
            plain = ""
            spans.append(span)
            rest = rest[end...]
        }
        while let character = rest.first {
            if character == "`", let end = rest.dropFirst().firstIndex(of: "`") {
                take(.code(String(rest.dropFirst()[..<end])), rest.index(after: end))
            } else if rest.hasPrefix("**"), let end = rest.dropFirst(2).firstRange(of: "**") {
                let inside = spansPlain(rest.dropFirst(2)[..<end.lowerBound])
                take(.strong(inside), end.upperBound)
            } else if character == "[", let link = link(rest) {
                take(link.span, link.end)
            } else {
                plain.append(character)
                rest = rest.dropFirst()
            }
        }
        if !plain.isEmpty { spans.append(.text(plain)) }
        return spans
    }

    private static func spansPlain(_ text: Substring) -> String { spans(text).map(\.plain).joined() }

    /// Parses a leading `[text](target)`.
    private static func link(_ text: Substring) -> (span: MarkdownSpan, end: Substring.Index)? {
        guard let middle = text.firstRange(of: "]("),
            let end = text[middle.upperBound...].firstIndex(of: ")")
        else { return nil }
        let words = spansPlain(text.dropFirst()[..<middle.lowerBound])
        return (.link(words, target: String(text[middle.upperBound..<end])), text.index(after: end))
    }
}
