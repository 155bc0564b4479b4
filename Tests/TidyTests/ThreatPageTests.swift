import Foundation
import Testing

/// The page of the protocol says by which tests each of its claims is held: those tests are there.
@Suite struct ThreatPageTests {
    private static let page = "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md"

    /// From its heading to the next of its level.
    private static func section(_ heading: String, of text: String) -> [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return Array(lines.drop { $0 != "## \(heading)" }.dropFirst().prefix { !$0.hasPrefix("## ") })
    }

    /// What stands between backticks and is written as functions are, in words without blanks.
    static func namedTests(in line: Substring) -> [String] {
        line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            .filter { name in
                name.first?.isLowercase == true && name.contains(where: \.isUppercase)
                    && name.allSatisfy { $0.isLetter || $0.isNumber }
            }
    }

    /// Functions that carry `@Test`, on their line or on one of the three before it.
    static func tests(in text: String) -> Set<String> {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var names: Set<String> = []
        for (index, line) in lines.enumerated() {
            guard let found = line.firstRange(of: "func ") else { continue }
            let isTest = lines[max(0, index - 3)...index].contains { $0.contains("@Test") }
            if isTest { names.insert(String(line[found.upperBound...].prefix { $0.isLetter || $0.isNumber })) }
        }
        return names
    }

    private static func allTests() throws -> Set<String> {
        let root = Checkout.root + "Tests/"
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
            .reduce(into: []) { $0.formUnion(tests(in: try String(contentsOfFile: root + $1, encoding: .utf8))) }
    }

    private static func threats() throws -> [Substring] {
        section("Threats", of: try String(contentsOfFile: Checkout.root + page, encoding: .utf8))
    }

    @Test func everyTestThatThePageNamesIsThere() throws {
        let named = try Self.threats().flatMap(Self.namedTests)
        #expect(named.count > 50, "the section was not found, or names no tests")
        let there = try Self.allTests()
        for name in named { #expect(there.contains(name), "\(Self.page) names \(name), which no test is called") }
    }

    @Test func everyClaimNamesATest() throws {
        let rows = try Self.threats().filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count > 25)
        for row in rows { #expect(!Self.namedTests(in: row).isEmpty, "no test holds: \(row)") }
    }

    // MARK: the check is checked

    @Test func namesAndTestsAreFound() {
        #expect(Self.namedTests(in: "| lie | `itIsSo`, `ttl` and `goodbye(2)`, `butNot`|") == ["itIsSo", "butNot"])
        let text = """
            @Test func itIsSo() {}
            @Test(arguments: [1, 2])
            func itIsSoToo(number: Int) {}



            private func helper() {}
            """
        #expect(Self.tests(in: text) == ["itIsSo", "itIsSoToo"])
    }
}
