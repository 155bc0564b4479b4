/// Names of types and parts of names, over all modules.
enum Names {
    /// Words of older vocabularies: each has a better one in the field's terms.
    private static let banned: [(part: String, instead: String, but: Set<String>)] = [
        ("wall", "posts, or wallTime for the time of day", ["time", "clock", "milliseconds", "nanoseconds"]),
        ("letter", "message; a letter of the alphabet is fine where text is read", []),
        ("resident", "visitor or persona; resident memory is fine", []),
    ]

    /// Where text is read letter by letter, or memory is measured.
    private static let excused: [String: Set<String>] = [
        "letter": ["LatticeChat", "LatticeCore", "LatticeFuzz", "LatticeGeo", "LatticeGuide", "LatticeIRC"],
        "resident": ["lattice-bench"],
    ]

    // MARK: - Parts of names

    static func faults(in file: SourceFile) -> [String] {
        file.code.enumerated().flatMap { index, line -> [String] in
            // Taking every line apart would take seconds.
            guard banned.contains(where: { line.contains($0.part.dropFirst()) }) else { return [] }
            return identifiers(in: line).flatMap { name in
                faults(in: parts(of: name), module: file.module).map { file.fault(line: index, "'\(name)': say \($0)") }
            }
        }
    }

    private static func faults(in parts: [String], module: String) -> [String] {
        banned.compactMap { word in
            guard excused[word.part]?.contains(module) != true else { return nil }
            let isSaid = parts.indices.contains { index in
                guard parts[index] == word.part || parts[index] == word.part + "s" else { return false }
                return index + 1 >= parts.count || !word.but.contains(parts[index + 1])
            }
            return isSaid ? word.instead : nil
        }
    }

    /// Without what the standard library calls so.
    private static func identifiers(in line: String) -> [Substring] {
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.filter { $0 != "isLetter" }
    }

    /// `IRCWallTime` is `irc`, `wall`, `time`.
    static func parts(of name: Substring) -> [String] {
        let scalars = Array(name)
        var parts: [String] = []
        var start = 0
        for index in scalars.indices.dropFirst() {
            let isHead =
                scalars[index].isUppercase
                && (!scalars[index - 1].isUppercase || index + 1 < scalars.count && scalars[index + 1].isLowercase)
            if isHead || scalars[index] == "_" {
                parts.append(String(scalars[start..<index]).lowercased())
                start = scalars[index] == "_" ? index + 1 : index
            }
        }
        parts.append(String(scalars[start...]).lowercased())
        return parts.filter { !$0.isEmpty }
    }

    // MARK: - Types

    /// The library calls things as the programs of others know them: its `PeerID` is made of that of `LatticeCore`. Nothing
    /// here imports it.
    private static let library = "Lattice"

    /// Top-level types that two modules declare under one name, unless both are private to their files.
    static func shared(by files: [SourceFile]) -> [String] {
        var modules: [String: Set<String>] = [:]
        for file in files where file.module != library {
            var depth = 0
            for line in file.code {
                if depth == 0, let name = declaredType(in: line) { modules[name, default: []].insert(file.module) }
                depth += line.count { $0 == "{" } - line.count { $0 == "}" }
            }
        }
        return modules.filter { $0.value.count > 1 }
            .map { "\($0.key) is a type of \($0.value.sorted().joined(separator: " and of "))" }
            .sorted()
    }

    private static let kinds: Set<Substring> = ["actor", "class", "enum", "protocol", "struct", "typealias"]

    private static func declaredType(in line: String) -> String? {
        let words = line.split { $0 == " " || $0 == ":" || $0 == "<" || $0 == "{" || $0 == "=" || $0 == "," }
        guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else { return nil }
        let modifiers = words[..<kind]
        guard !modifiers.contains("private"), !modifiers.contains("fileprivate"), !modifiers.contains("extension"),
            !modifiers.contains("import"), !modifiers.contains("func"), !modifiers.contains("let")
        else { return nil }
        return words[kind + 1].first?.isUppercase == true ? String(words[kind + 1]) : nil
    }
}
