import LatticeCore
import Testing

@testable import LatticeChat

/// Addresses in what people say are links of the terminal.
struct HyperlinkTests {
    private func link(_ uri: String) -> String { "\u{1B}]8;;\(uri)\u{1B}\\\(uri)\u{1B}]8;;\u{1B}\\" }

    @Test func anAddressIsALink() {
        let uri = "https://lake.example/a/b?c=d&e=%20#f~g"
        #expect(Hyperlink.marked(uri) == link(uri))
        #expect(
            Hyperlink.marked("see \(uri), and HTTP://[::1]:8080.")
                == "see \(link(uri)), and \(link("HTTP://[::1]:8080")).")
        #expect(
            Hyperlink.marked("(http://a.b/c_(d)) 'http://a.b'!")
                == "(\(link("http://a.b/c_(d)"))) '\(link("http://a.b"))'!")
        #expect(
            Hyperlink.marked("<http://a.b>\u{2069}http://c.d") == "<\(link("http://a.b"))>\u{2069}\(link("http://c.d"))"
        )
        #expect(Hyperlink.marked("שלום http://a.b") == "שלום \(link("http://a.b"))")
    }

    @Test(arguments: [
        "http://", "http://.", "https:///etc", "http:// a", "xhttp://a.b", "éhttp://a.b", "ftp://a.b", "mailto:a@b.c",
        "javascript://a", "file:///etc/passwd", "http:/a.b", "http://exämple.com", "http://a.b/é", "http://аpple.com",
        "http://a.b\u{301}", "", "://", "http",
    ])
    func whatIsNoneStaysText(text: String) {
        #expect(Hyperlink.marked(text) == text)
    }

    @Test func aLongAddressStaysText() {
        let head = "http://a.b/"
        let longest = head + String(repeating: "x", count: Hyperlink.bytesMax - head.count)
        #expect(Hyperlink.marked(longest) == link(longest))
        #expect(Hyperlink.marked(longest + "x") == longest + "x")
        // Each is looked at once.
        let many = String(repeating: "http://a)", count: 10_000) + String(repeating: ")", count: 100_000)
        #expect(Hyperlink.marked(many) == many)
    }

    @Test func linksTakeNoColumns() {
        #expect(StyledText.columns(of: "a \(link("http://a.b"))") == 12)
    }

    @Test func eachRowClosesItsLink() {
        let (uri, open, close) = ("http://a.b/cdefg", "\u{1B}]8;;http://a.b/cdefg\u{1B}\\", Hyperlink.close)
        let rows = RowCutter.rows(of: "on \(link(uri)), \u{1B}[2mx\u{1B}[0m", columns: 10, indent: 2)
        #expect(rows.contains { $0.contains("\(open)http://a") } && rows.contains { $0.contains("\(open).b/cdefg") })
        for row in rows {
            #expect(row.ranges(of: open).count == row.ranges(of: close).count, "\(row.debugDescription)")
        }
        #expect(rows.map { StyledText.columns(of: $0) }.allSatisfy { $0 <= 10 })
    }

    /// What reaches the screen is closed, and no other sequence passes.
    @Test(arguments: [
        ("\u{1B}]8;;http://a.b\u{1B}\\x", "\u{1B}]8;;http://a.b\u{1B}\\x\u{1B}]8;;\u{1B}\\"),
        ("\u{1B}]8;;http://a.b\u{7}x", "]8;;http://a.bx"),
        ("\u{1B}]8;id=1;http://a.b\u{1B}\\x", "]8;id=1;http://a.b\\x"),
        ("\u{1B}]8;;http://a b\u{1B}\\x", "]8;;http://a b\\x"), ("\u{1B}]0;title\u{1B}\\", "]0;title\\"),
        ("\u{1B}]8;;http://a.é\u{1B}\\", "]8;;http://a.é\\"), ("\u{1B}]8;;http://a", "]8;;http://a"),
        ("\u{1B}]8;;\u{1B}[2J", "]8;;"),
    ])
    func onlyWellFormedLinksPass(text: String, tame: String) {
        #expect(StyledText.tame(text) == tame)
    }

    @Test func theTerminalShowsLinksWhereItShowsColours() throws {
        func shown(_ text: String, hasColor: Bool) throws -> String {
            let renderer = TerminalRenderer(me: Samples.peer(1), hasColor: hasColor) { _ in "14:05" }
            let item = ChatItem.message(
                try Samples.message(text), shown: "bob", isCurrentRoom: true, isMention: false)
            return renderer.render(item).output.joined(separator: "\n")
        }
        #expect(try shown("http://a.b", hasColor: true).hasSuffix(link("http://a.b")))
        #expect(try shown("http://a.b", hasColor: false).hasSuffix("  http://a.b"))
        #expect(
            try !shown("\u{1B}]8;;http://evil\u{1B}\\me", hasColor: true).contains("\u{1B}]8;;http://evil\u{1B}\\me"))
    }
}
