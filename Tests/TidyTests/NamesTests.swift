import Testing

@Suite struct NamesTests {
    @Test func noNameSaysABannedPart() throws {
        let files = try Checkout.sourceFiles()
        #expect(!files.isEmpty, "the checkout was not found at \(Checkout.root)")
        expectNone(files.flatMap(Names.faults(in:)))
    }

    @Test func noTwoModulesHaveATypeOfOneName() throws {
        expectNone(Names.shared(by: try Checkout.sourceFiles()))
    }

    // MARK: the check is checked

    @Test(arguments: [
        "let wall = 1", "struct IRCWall {}", "case wallOutput", "func openWall() {}", "let all_walls = 2",
        "struct StoredLetter {}", "let letters: [Int]", "protocol Resident {}", "let residentsMax = 1",
        "let text = \"\\(wall.name)\"",
    ])
    func aPlantedNameIsFound(text: String) {
        #expect(faults(text).count == 1)
    }

    @Test(arguments: [
        "let firewall = swallow(wallops)", "let wallTime: WallTime", "var wallClock = WallClock()", "// the wall",
        "let text = \"letter wall resident\"", "let wallMilliseconds = 4", "if character.isLetterLike {}",
    ])
    func whatIsNotTheWordIsLeftAlone(text: String) {
        expectNone(faults(text, module: text.contains("Letter") ? "LatticeGeo" : "LatticeMesh"))
    }

    @Test func oneNameInTwoModulesIsFound() {
        let files = [
            SourceFile(path: "Sources/LatticeA/Tally.swift", text: "package struct Tally {\n    struct State {}\n}\n"),
            SourceFile(
                path: "Sources/LatticeB/Tally.swift", text: "final class Tally: Sendable {\n    enum State {}\n}\n"),
            SourceFile(path: "Sources/LatticeB/Gate.swift", text: "private struct Gate {}\nextension Tally {}\n"),
            SourceFile(path: "Sources/LatticeC/Gate.swift", text: "actor Gate {}\n"),
        ]
        #expect(Names.shared(by: files) == ["Tally is a type of LatticeA and of LatticeB"])
    }

    private func faults(_ text: String, module: String = "LatticeMesh") -> [String] {
        Names.faults(in: SourceFile(path: "Sources/\(module)/Planted.swift", text: text))
    }
}
