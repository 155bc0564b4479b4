/// What a program of others sees is documented: each public declaration has a comment of its own.
enum PublicComments {
    private static let kinds: Set<Substring> = [
        "actor", "case", "class", "enum", "func", "init", "let", "protocol", "struct", "subscript", "typealias", "var",
    ]

    /// Public declarations and the cases of public enums without `///` above them.
    static func faults(in file: SourceFile) -> [String] {
        var faults: [String] = []
        var depth = 0
        // The depths of the bodies of public enums that the line is in.
        var enums: [Int] = []
        for (index, line) in file.code.enumerated() {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@") }
            let isCase = words.first == "case" && enums.last == depth
            let isDeclaration = words.contains(where: kinds.contains) && !words.contains("import")
            let isPublic = words.contains("public") && isDeclaration
            if isPublic || isCase, !hasComment(above: index, in: file) {
                faults.append(file.fault(line: index, "a public declaration without a comment"))
            }
            depth += line.count { $0 == "{" } - line.count { $0 == "}" }
            if isPublic, words.contains("enum") { enums.append(depth) }
            enums.removeAll { $0 > depth }
        }
        return faults
    }

    /// Directly above, with only attributes between.
    private static func hasComment(above index: Int, in file: SourceFile) -> Bool {
        for line in file.lines[..<index].reversed() {
            let text = line.drop(while: { $0 == " " })
            if text.hasPrefix("///") { return true }
            guard text.hasPrefix("@") else { return false }
        }
        return false
    }
}
