import LatticeChat
import Testing

@testable import LatticeGuide

/// Articles of the guide, as a terminal shows them.
@Suite struct HelpTextTests {
    private static let wide = HelpScreen(columns: 80)
    private static let narrow = HelpScreen(columns: 40)

    /// But for code, which stays as it is, and single words that are longer than a line.
    @Test(arguments: [40, 80])
    func proseFitsTheTerminalAndBreaksAtWords(columns: Int) {
        for article in [Guide.landing] + Guide.articles {
            for line in ArticleText(screen: HelpScreen(columns: columns)).lines(article) {
                let isCode =
                    line.hasPrefix("    ")
                    && article.blocks.contains { block in
                        if case .code(let code) = block { code.contains(String(line.dropFirst(4))) } else { false }
                    }
                let words = line.split(separator: " ").count
                #expect(StyledText.columns(of: line) <= columns || isCode || words < 5, "\(article.topic): \(line)")
            }
        }
    }

    @Test func markdownIsReadIntoItsBlocks() {
        let text = """
            # Title

            Some `code` and
            a [link](Chat.md).
            - one
              more
            - **two**

            | a | b |
            |---|---|
            | `x\\|y` | z |
            <!-- scene: x -->
            ```sh
            ls -l
            ```
            """
        #expect(
            Markdown.blocks(text) == [
                .heading(1, "Title"),
                .paragraph([
                    .text("Some "), .code("code"), .text(" and a "), .link("link", target: "Chat.md"), .text("."),
                ]),
                .list([[.text("one more")], [.strong("two")]], isNumbered: false),
                .table([[[.text("a")], [.text("b")]], [[.code("x|y")], [.text("z")]]]),
                .code(["ls -l"]),
            ])
    }

    @Test func aTableThatIsTooWideIsWrittenRowByRow() {
        let row = ["first", "second", "third"].map {
            [MarkdownSpan.text(String(repeating: "\($0) ", count: 5) + "end")]
        }
        let head = ["", "two", "three"].map { [MarkdownSpan.text($0)] }
        let article = GuideArticle(fileName: "X", blocks: [.table([head, row])])
        let lines = ArticleText(screen: Self.narrow).lines(article)
        #expect(lines.first == "  first first first first first end")
        #expect(lines.contains("    two: second second second second"))
        #expect(lines.allSatisfy { $0.count <= 40 })
    }

    @Test func coloursAreForTerminalsOnly() throws {
        let article = try #require(Guide.article("chat"))
        let plain = ArticleText(screen: Self.wide).lines(article).joined(separator: "\n")
        let colored = ArticleText(screen: HelpScreen(columns: 80, hasColor: true)).lines(article).joined()
        #expect(!plain.contains("\u{1B}"))
        #expect(plain.contains("'lattice chat' is a line chat"))
        #expect(colored.contains("\u{1B}[36mlattice chat\u{1B}[0m is a line chat"))
    }
}
