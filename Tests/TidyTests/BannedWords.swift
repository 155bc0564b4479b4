/// Words that the code does without, each with its reason and the modules that may say it.
struct BannedWord {
    let words: [String]
    let reason: String
    let allowedIn: Set<String>
    /// Banned in comments as well.
    let inComments: Bool
    let excuse: Excuse

    /// What makes a use right.
    enum Excuse {
        case none
        /// A `// Safety:` line directly above says why it holds.
        case safetyLineAbove
        /// The file carries a `// Safety:` line.
        case safetyLineInFile
    }

    init(
        _ words: String...,
        because reason: String,
        allowedIn: Set<String> = [],
        inComments: Bool = false,
        excuse: Excuse = .none
    ) {
        self.words = words
        self.reason = reason
        self.allowedIn = allowedIn
        self.inComments = inComments
        self.excuse = excuse
    }

    private static let fronts: Set<String> = ["LatticeChat", "LatticeControl", "LatticeIRC", "LatticeHTTP"]
    private static let programs: Set<String> = ["lattice", "lattice-sim", "lattice-bench", "lattice-fuzz"]

    /// A word that ends in `*` also bans what begins with it.
    static let list: [BannedWord] = [
        BannedWord("try?", because: "a failure is an answer: catch it and say what follows from it"),
        BannedWord("Date()", "Date.now", because: "time comes in by parameter", allowedIn: fronts),
        BannedWord(
            "print(",
            "debugPrint(",
            because: "standard output belongs to the fronts; the shell logs",
            allowedIn: fronts.union(programs)
        ),
        BannedWord(
            "@unchecked Sendable",
            "nonisolated(unsafe)",
            because: "the compiler no longer checks it: a `// Safety:` line directly above says why it holds",
            excuse: .safetyLineAbove
        ),
        BannedWord("Task.detached", because: "concurrency is a tree: a task nobody waits for is never cancelled"),
        BannedWord("fatalError(", because: "our own fault stops the program by `precondition` with a sentence"),
        BannedWord("TODO", "FIXME", because: "a comment says why, not what is missing", inComments: true),
        BannedWord(
            "VerifiedRecord(assumingVerified",
            "VerifiedRecord.init(assumingVerified",
            ".init(assumingVerified",
            because: "only who has checked the signature may say so",
            allowedIn: ["LatticeCrypto", "LatticeSimulator"]
        ),
        BannedWord(
            "UnsafeMutable*",
            "UnsafeRaw*",
            "UnsafePointer",
            "UnsafeBufferPointer",
            "withUnsafe*",
            because: "an unsafe pointer stays in a file that carries a `// Safety:` line",
            excuse: .safetyLineInFile
        ),
    ]

    func faults(in file: SourceFile) -> [String] {
        if allowedIn.contains(file.module) { return [] }
        if excuse == .safetyLineInFile, file.lines.contains(where: { $0.contains("// Safety:") }) { return [] }
        var faults: [String] = []
        for (index, line) in (inComments ? file.lines : file.code).enumerated() {
            guard let word = words.first(where: { occurs($0, in: line) }) else { continue }
            if excuse == .safetyLineAbove, hasSafetyLine(above: index, in: file) { continue }
            faults.append(file.fault(line: index, "`\(word)`: \(reason)"))
        }
        return faults
    }

    /// Whole words only: `print(` is not in `fingerprint(`, nor is it the `print` of something else in `page.print(`.
    private func occurs(_ word: String, in line: String) -> Bool {
        let isPrefix = word.hasSuffix("*")
        let wanted = Array(word.utf8.dropLast(isPrefix ? 1 : 0))
        let bytes = Array(line.utf8)
        guard wanted.count <= bytes.count else { return false }
        for start in 0...bytes.count - wanted.count where bytes[start] == wanted[0] {
            let end = start + wanted.count
            guard bytes[start..<end].elementsEqual(wanted) else { continue }
            let before = start > 0 ? bytes[start - 1] : UInt8(ascii: " ")
            let after = end < bytes.count ? bytes[end] : UInt8(ascii: " ")
            if isWordByte(wanted[0]), isWordByte(before) { continue }
            if word == "print(", before == UInt8(ascii: "."), !line.contains("Swift.print(") { continue }
            if !isPrefix, isWordByte(wanted[wanted.count - 1]), isWordByte(after) { continue }
            return true
        }
        return false
    }

    /// Directly above, with only comments and attributes between.
    private func hasSafetyLine(above index: Int, in file: SourceFile) -> Bool {
        for line in file.lines[..<index].reversed() {
            let text = line.drop(while: { $0 == " " || $0 == "\t" })
            if text.hasPrefix("// Safety:") || text.hasPrefix("/// Safety:") { return true }
            guard text.hasPrefix("//") || text.hasPrefix("@") else { return false }
        }
        return false
    }
}

func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: byte >= 0x80
    }
}
