import Testing

@Suite struct BannedWordsTests {
    @Test func noModuleSaysABannedWord() throws {
        let files = try Checkout.sourceFiles()
        #expect(!files.isEmpty, "the checkout was not found at \(Checkout.root)")
        expectNone(files.flatMap { file in BannedWord.list.flatMap { $0.faults(in: file) } })
    }

    @Test func noModuleHasABadHabit() throws {
        expectNone(try Checkout.sourceFiles().flatMap(Habits.faults(in:)))
    }

    // MARK: the check is checked

    @Test(arguments: [
        "let x = try? read()",
        "let now = Date()",
        "let now = Date.now",
        "print(1)",
        "Swift.print(1)",
        "let text = \"now \\(Date())\"",
        "final class Box: @unchecked Sendable {}",
        "// Safety: of another line\nlet a = 1\nnonisolated(unsafe) var x = 0",
        "Task.detached { }",
        "fatalError()",
        "// TODO: later",
        "let record = VerifiedRecord(assumingVerified: record)",
        "let record: VerifiedRecord = .init(assumingVerified: record)",
        "let p: UnsafeMutableRawPointer",
        "data.withUnsafeBytes { }",
        "let n = Int.random(in: 0..<9)",
        "let n = Int.random(\n    in: 0..<9)",
        "list.shuffle()",
        "let order = list.shuffled()",
        "let one = list.filter { $0.fits(using: rule) }.randomElement()",
        "let coin = Bool.random()",
        "struct LinkManager {}",
        "enum StringUtils {}",
        "final class NodeImpl: Node {}",
    ])
    func aPlantedFaultIsFound(text: String) {
        #expect(faults(text).count == 1)
    }

    @Test(arguments: [
        "// try? is banned, and so are Date() and print(",
        "let text = \"try? print( Date()\"",
        "let text = #\"a \" try? \\(Date()) \"#",
        "let text = \"\"\"\n    try? \" fatalError(\n    \"\"\"",
        "let text = \"\\\\\" /* try? /* Date() */ print( */",
        "let x = fingerprint(of: key); page.print(x)",
        "// Safety: the lock guards it.\nfinal class Box: @unchecked Sendable {}",
        "// Safety: written once,\n// before any thread starts.\n@usableFromInline\nnonisolated(unsafe) var x = 0",
        "// Safety: the pointer does not leave the closure.\ndata.withUnsafeBytes { }",
        "let n = Int.random(in: 0..<9, using: &dice)",
        "let n = Int.random(\n    in: low(0)..<9,\n    using: &dice\n)",
        "let one = list.randomElement(using: &dice)",
        "if case .shuffle(let shuffle) = frame { heard(shuffle) }",
        "effects.append(.send(.shuffle(Shuffle(cards: cards)), to: link))",
        "struct Manageress {}\nlet helper = Implicit()",
        "let pathTODOs = 1",
    ])
    func whatIsRightIsLeftAlone(text: String) {
        expectNone(faults(text))
    }

    @Test func aFrontMayPrintAndAskTheTime() {
        expectNone(faults("print(Date())", module: "LatticeChat"))
    }

    @Test func onlyTheModulesThatVerifyMayClaimIt() {
        let text = "let record = VerifiedRecord(assumingVerified: record)"
        expectNone(faults(text, module: "LatticeCrypto") + faults(text, module: "LatticeSimulator"))
        #expect(faults(text, module: "LatticeNode").count == 1)
    }

    @Test func aFaultNamesItsFileAndLine() {
        let fault = faults("\n\nlet x = try? read()").first
        #expect(fault?.hasPrefix("Sources/LatticeMesh/Planted.swift:3: `try?`: ") == true)
    }

    @Test func aLongFileIsFound() {
        let atTheLimit = String(repeating: "let x = 1\n", count: Habits.fileLinesMax)
        expectNone(faults(atTheLimit))
        #expect(faults(atTheLimit + "let x = 1\n").count == 1)
    }

    @Test func aLongFunctionIsFound() {
        expectNone(faults(function(lines: Habits.functionLinesMax)))
        #expect(faults(function(lines: Habits.functionLinesMax + 1)).count == 1)
    }

    @Test func aRequirementHasNoBodyToMeasure() {
        let requirements = "protocol P {\n    func a(\n        x: Int\n    )\n    init()\n}\n"
        expectNone(faults(requirements + String(repeating: "let x = { 1 }\n", count: 100)))
    }

    @Test func codeKeepsItsLines() {
        let text = "a /* 1\n2 */ b // c\nlet s = \"\"\"\n  x \\(y)\n  \"\"\"\nd\r\ne"
        let lines = SwiftCode.lines(of: text)
        #expect(lines.map { $0.filter { !$0.isWhitespace } } == ["a", "b", "lets=\"", "(y)", "\"", "d", "e"])
    }

    private func faults(_ text: String, module: String = "LatticeMesh") -> [String] {
        let file = SourceFile(path: "Sources/\(module)/Planted.swift", text: text)
        return BannedWord.list.flatMap { $0.faults(in: file) } + Habits.faults(in: file)
    }

    private func function(lines: Int) -> String {
        let body = String(repeating: "        let x = { 1 }\n", count: lines - 2)
        return "struct S {\n    func f(x: Int = g()) {\n\(body)    }\n}\n"
    }
}
