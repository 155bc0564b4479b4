/// Renders an article of the guide in man(7) macros.
enum RoffArticle {
    /// Without the title, which is in the page header.
    static func lines(_ article: GuideArticle) -> [String] { article.blocks.flatMap(lines) }

    private static func lines(_ block: MarkdownBlock) -> [String] {
        switch block {
        case .heading(1, _): return []
        case .heading(2, let text): return [Roff.section(Roff.escaped(text.uppercased()))]
        case .heading(_, let text): return [Roff.subsection(text)]
        case .paragraph(let spans): return [".PP", text(spans)]
        case .code(let lines): return [".PP", ".RS 4", ".nf"] + lines.map { Roff.escaped($0) } + [".fi", ".RE"]
        case .list(let items, let isNumbered):
            return items.enumerated().flatMap { index, item in
                [isNumbered ? ".IP \(index + 1). 4" : ".IP \\(bu 2", text(item)]
            }
        case .table(let rows):
            guard rows.first?.count == 2 else { return wide(rows) }
            return rows.dropFirst().flatMap { [".TP", text($0[0]), text($0[1])] }
        }
    }

    /// A table as on a terminal, without refilling its lines.
    private static func wide(_ rows: [[[MarkdownSpan]]]) -> [String] {
        let article = GuideArticle(fileName: "", blocks: [.table(rows)])
        let screen = HelpScreen(columns: 72)
        return [".PP", ".nf"] + ArticleText(screen: screen).lines(article).map { Roff.escaped($0) } + [".fi"]
    }

    private static func text(_ spans: [MarkdownSpan]) -> String {
        let text = spans.map { span in
            switch span {
            case .text(let text): Roff.inline(text)
            case .code(let text), .strong(let text): "\\fB\(Roff.inline(text))\\fR"
            case .link(let text, let target): Roff.inline(text) + place(target, text)
            }
        }.joined()
        // A leading dot or apostrophe would make it a request.
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&\(text)" : text
    }

    private static func place(_ target: String, _ text: String) -> String {
        guard target != text, !target.hasPrefix("#") else { return "" }
        guard target.hasSuffix(".md"), !target.contains("/") else {
            return " (\(Roff.inline(target.split(separator: "/").last.map(String.init) ?? target)))"
        }
        return " (\\fBlattice\\-\(Roff.inline(GuideArticle.topic(of: String(target.dropLast(3)))))\\fR(7))"
    }
}
