/// How large the types of a module are: lines over all extensions, and stored properties.
struct TypeSizes {
    static let linesMax = 800
    static let storedMax = 25

    /// Lines of each top-level type with everything inside it: `LatticeMesh.Mesh`.
    private(set) var lines: [String: Int] = [:]
    /// Stored properties of each type, nested ones apart: `LatticeMesh.People.Person`.
    private(set) var stored: [String: Int] = [:]

    init(of files: [SourceFile]) {
        for file in files { read(file) }
    }

    /// - Parameter composers: types that only compose others, and the lines that they may have.
    func faults(of composers: [String: Int] = [:]) -> [String] {
        Self.faults("lines over all its extensions", lines) { composers[$0] ?? Self.linesMax }
            + Self.faults("stored properties", stored) { _ in Self.storedMax }
            + composers.keys.filter { lines[$0] == nil }.sorted().map { "\($0): there is no such type" }
    }

    private static func faults(_ what: String, _ counts: [String: Int], _ most: (String) -> Int) -> [String] {
        counts.filter { $0.value > most($0.key) }
            .map { "\($0): \($1) \(what), at most \(most($0))" }.sorted()
    }

    // MARK: - Reading

    /// A brace that is open, and the type that it opened, if it did.
    private struct Open {
        let type: Substring?
        let line: Int
    }

    private mutating func read(_ file: SourceFile) {
        var open: [Open] = []
        var head: Substring?
        for (index, line) in file.code.enumerated() {
            if let name = Self.declaredType(in: line) {
                head = name
            } else if let inner = open.last, inner.type != nil {
                let path = ([file.module[...]] + open.compactMap(\.type)).joined(separator: ".")
                stored[path, default: 0] += Self.storedProperties(in: line)
            }
            for character in line.utf8 {
                if character == UInt8(ascii: "{") {
                    open.append(Open(type: head, line: index))
                    head = nil
                } else if character == UInt8(ascii: "}"), let closed = open.popLast() {
                    guard open.isEmpty, let type = closed.type else { continue }
                    let top = type.prefix { $0 != "." }
                    lines["\(file.module).\(top)", default: 0] += index - closed.line + 1
                }
            }
        }
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "private", "fileprivate", "final", "nonisolated", "indirect", "distributed",
    ]

    /// `package struct Mesh: Sendable {` declares `Mesh`, and `extension Mesh.State {` goes on with `Mesh.State`.
    private static func declaredType(in line: String) -> Substring? {
        var words = line.split(separator: " ")[...]
        while let word = words.first, modifiers.contains(word) || word.hasPrefix("@") { words.removeFirst() }
        guard let kind = words.popFirst(), ["extension", "struct", "class", "actor", "enum"].contains(kind) else {
            return nil
        }
        let name = words.first?.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return name?.first?.isUppercase == true ? name : nil
    }

    /// How many a line of a type's body declares. What has a body and no value is computed.
    private static func storedProperties(in line: String) -> Int {
        var words = line.split(separator: " ")[...]
        while let word = words.first, isModifier(word) { words.removeFirst() }
        guard let kind = words.popFirst(), kind == "let" || kind == "var" else { return 0 }
        let rest = words.joined(separator: " ")
        if let brace = rest.firstIndex(of: "{"), !rest[..<brace].contains("=") {
            return rest[brace...].contains("didSet") ? 1 : 0
        }
        // `let left, right: Int`: names stand before the first colon.
        return rest.prefix { $0 != ":" && $0 != "=" }.count { $0 == "," } + 1
    }

    /// `static` is none: what belongs to the type is no state of its values.
    private static func isModifier(_ word: Substring) -> Bool {
        modifiers.contains(word.prefix { $0 != "(" }) || word.hasPrefix("@") || word == "weak" || word == "lazy"
    }
}
