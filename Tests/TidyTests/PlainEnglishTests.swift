import Foundation
import Testing

/// What people read is in plain English, as far as a list of phrases can tell.
@Suite struct PlainEnglishTests {
    @Test func noTextOfTheProgramSaysABannedPhrase() throws {
        expectNone(try Checkout.sourceFiles().flatMap(PlainEnglish.faults(in:)))
    }

    @Test func noPageSaysABannedPhrase() throws {
        let pages = try Checkout.paths(in: "Sources", endingWith: [".md"]) + ["README.md"]
        #expect(pages.count > 8, "the pages were not found")
        expectNone(
            try pages.flatMap { path in
                PlainEnglish.faults(in: try Checkout.text(of: path).components(separatedBy: "\n"), path: path)
            })
    }

    @Test func thePageInTheBrowserSaysNoBannedPhrase() throws {
        let scripts = try Checkout.paths(in: "Sources/LatticeHTTP/Page", endingWith: [".js", ".html"])
        #expect(scripts.count > 5, "the page was not found")
        expectNone(
            try scripts.flatMap { path in
                PlainEnglish.faults(inScript: try Checkout.text(of: path), path: path)
            })
    }

    // MARK: the check is checked

    @Test(arguments: [
        "let text = \"Whoever comes is welcome\"",
        "let text = \"the other side is told\"",
        "let text = \"\"\"\n    one line\n    nobody is to be trusted\n    \"\"\"",
        "let text = \"a \\(count) so many\"",
        "let text = \"Of what others have you lack this\"",
        "let text = \"Sent. Where nobody is there are none\"",
    ])
    func aPlantedPhraseIsFound(text: String) {
        #expect(faults(text).count == 1)
    }

    @Test(arguments: [
        "// whoever reads comments finds it here\nlet text = \"fine\"",
        "/* is told */ let isTold = told(of: whoever)",
        "let text = \"Peers that you told often\"",
        "let text = \"One of the lines\"",
    ])
    func plainTextIsLeftAlone(text: String) {
        expectNone(faults(text))
    }

    @Test func aFaultNamesItsLineInALongLiteral() {
        let fault = faults("let text = \"\"\"\n    one\n    as ever\n    \"\"\"").first
        #expect(fault?.hasPrefix("Sources/LatticeMesh/Planted.swift:3: 'as ever'") == true)
    }

    @Test func aScriptsCommentsAreLeftAlone() {
        let script = "// whoever\n/* is told\n told of */\nconst text = 'told of';"
        #expect(PlainEnglish.faults(inScript: script, path: "p.js").count == 1)
    }

    private func faults(_ text: String) -> [String] {
        PlainEnglish.faults(in: SourceFile(path: "Sources/LatticeMesh/Planted.swift", text: text))
    }
}
