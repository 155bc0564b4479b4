import Testing

@Suite struct PublicCommentsTests {
    @Test func everyPublicDeclarationHasAComment() throws {
        let files = try Checkout.sourceFiles().filter { ["Lattice", "LatticeTesting"].contains($0.module) }
        #expect(files.contains { $0.lines.contains { $0.contains("public final class Session") } })
        #expect(files.contains { $0.lines.contains { $0.contains("public final class InMemoryNetwork") } })
        expectNone(files.flatMap(PublicComments.faults(in:)))
    }

    // MARK: the check is checked

    @Test(arguments: [
        "public struct Post {}", "public final class Session: Sendable {}", "    public let id: Int",
        "public enum A {\n}\n", "nonisolated(nonsending) public func run() async {}",
        "extension A {\n    public init() {}\n}",
        "/// A.\npublic enum A {\n    case b\n}", "/// A.\n\npublic var a = 1", "// A.\npublic var a = 1",
        "/// A.\npublic var a: Int { 1 }\npublic var b: Int { 1 }",
        "public static func == (left: A, right: A) -> Bool { true }", "@available(*, unavailable)\npublic func a() {}",
    ])
    func aDeclarationWithoutACommentIsFound(text: String) {
        #expect(faults(text).count == 1)
    }

    @Test(arguments: [
        "/// A.\npublic struct Post {\n    let id: Int\n}", "public import Logging", "public extension A {}",
        "/// A.\n@available(*, unavailable)\npublic func a() {}", "/// A.\npublic enum A {\n    /// B.\n    case b\n}",
        "/// A.\npublic func a() {\n    switch b {\n    case 1: break\n    }\n}", "enum A {\n    case b\n}",
        "/// A.\npublic enum A {\n    /// B.\n    var b: Int {\n        switch self {\n        case .c: 1\n        }\n    }\n}",
    ])
    func whatHasACommentOrNeedsNoneIsLeftAlone(text: String) {
        expectNone(faults(text))
    }

    private func faults(_ text: String) -> [String] {
        PublicComments.faults(in: SourceFile(path: "Sources/Lattice/Planted.swift", text: text))
    }
}
