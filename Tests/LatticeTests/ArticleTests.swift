import Foundation
import Testing

@Suite struct ArticleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    @Test func everyArticleStandsInTheList() throws {
        let folder = Self.root.appending(path: "Sources/Lattice/Lattice.docc")
        let list = try text("Sources/Lattice/Lattice.docc/Lattice.md")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        #expect(names.count > 8)
        for name in names where name != "Lattice.md" {
            #expect(list.contains("- <doc:\(name.dropLast(3))>\n"), "\(name)")
        }
    }

    @Test func theTutorialShowsTheExampleInAtMost25Lines() throws {
        let example = try text("tools/examples/hello/Sources/hello/main.swift")
        let article = try text("Sources/Lattice/Lattice.docc/AChatIn25Lines.md")
        #expect(article.contains("```swift\n\(example)```\n"))
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 25)
    }

    @Test func theTutorialShowsThePackageButForThePath() throws {
        let package = try text("tools/examples/hello/Package.swift")
        let article = try text("Sources/Lattice/Lattice.docc/AChatIn25Lines.md")
        #expect(article.contains(package.replacing("\"../../..\"", with: "\"../lattice\"")))
    }
}
