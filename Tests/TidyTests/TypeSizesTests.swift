import Testing

@Suite struct TypeSizesTests {
    /// Everything goes through these, so each new feature could leave a few lines in them.
    private static let composers = ["LatticeMesh.Mesh": 400, "LatticeNode.Node": 600]

    @Test func noTypeIsLargerThanItsLimit() throws {
        let files = try Checkout.sourceFiles()
        #expect(!files.isEmpty, "the checkout was not found at \(Checkout.root)")
        expectNone(TypeSizes(of: files).faults(of: Self.composers))
    }

    // MARK: the check is checked

    private func sizes(_ text: String...) -> TypeSizes {
        TypeSizes(of: text.enumerated().map { SourceFile(path: "Sources/LatticeX/\($0).swift", text: $1) })
    }

    @Test func aTypeIsCountedOverAllItsExtensions() {
        let filler = String(repeating: "    // one more\n", count: 500)
        let split = sizes(
            "package struct Large: Sendable {\n\(filler)}\n",
            "@available(macOS 15, *)\nextension Large {\n\(filler)}\n",
            "extension Large.Inner\nwhere X: Y {\n    enum Deeper {}\n}\n")
        #expect(split.lines == ["LatticeX.Large": 1_007])
        #expect(split.faults() == ["LatticeX.Large: 1007 lines over all its extensions, at most 800"])
    }

    @Test func aTypeThatComposesHasALimitOfItsOwn() {
        let small = sizes("struct Small {\n    let one: Int\n}\n")
        #expect(small.faults(of: ["LatticeX.Small": 3]).isEmpty)
        #expect(
            small.faults(of: ["LatticeX.Small": 2]) == ["LatticeX.Small: 3 lines over all its extensions, at most 2"])
        #expect(small.faults(of: ["LatticeX.Other": 3]) == ["LatticeX.Other: there is no such type"])
    }

    @Test func storedPropertiesAreCountedAndComputedOnesAreNot() {
        let counted = sizes(
            """
            final class Kept {
                @Lazy private(set) var a = 1
                package let b, c: Int
                nonisolated(unsafe) var e: @Sendable () -> Void = { let local = 1 }
                var f: Int { a + 1 }
                var g: Int {
                    let local = 2
                    return local
                }
                var h = 1 { didSet { let local = 3 } }
                static let i = 1
                func f() { var local = 4 }
                struct Inner { 
                    let j: Int
                }
            }
            """)
        #expect(counted.stored["LatticeX.Kept"] == 5)
        #expect(counted.stored["LatticeX.Kept.Inner"] == 1)
        let many = sizes("actor Many {\n\((0..<26).map { "    var p\($0) = 0\n" }.joined())}\n")
        #expect(many.faults() == ["LatticeX.Many: 26 stored properties, at most 25"])
    }
}
