import Foundation
import Testing

@Suite struct TestingArticleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    @Test func theArticleShowsATestThatRuns() throws {
        let test = try text("Tests/LatticeTestingTests/GreetingTests.swift")
        #expect(try text("Sources/Lattice/Lattice.docc/Testing.md").contains("```swift\n\(test)```\n"))
    }
}
