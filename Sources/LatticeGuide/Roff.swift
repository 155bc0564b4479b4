/// Text in the man(7) macros, which all manual readers support.
enum Roff {
    /// Escapes text so that nothing in it is a request, and every hyphen can be searched for and copied.
    static func escaped(_ text: some StringProtocol) -> String {
        let plain = inline(text)
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
    }

    /// Escapes text in the middle of a line.
    static func inline(_ text: some StringProtocol) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            default: String(character)
            }
        }.joined()
    }

    static func bold(_ text: some StringProtocol) -> String { "\\fB\(escaped(text))\\fR" }
    static func italic(_ text: some StringProtocol) -> String { "\\fI\(escaped(text))\\fR" }

    static func section(_ title: String) -> String { ".SH \(title)" }
    static func subsection(_ title: String) -> String { ".SS \(escaped(title))" }

    /// Paragraphs of a help text; indented lines are kept as they are.
    static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isExample = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let isIndented = line.hasPrefix("  ")
            if isIndented != isExample {
                if isIndented, lines.last != ".PP" { lines.append(".PP") }
                lines += isIndented ? [".RS 4", ".nf"] : [".fi", ".RE"]
                isExample = isIndented
            }
            if line.isEmpty {
                if lines.last != ".PP" { lines.append(".PP") }
            } else {
                lines.append(escaped(isIndented ? line.dropFirst(2) : line[...]))
            }
        }
        if isExample { lines += [".fi", ".RE"] }
        // A paragraph macro at the start or end of a text separates nothing.
        while lines.last == ".PP" { lines.removeLast() }
        return lines
    }

    static func item(_ term: String, _ meaning: String) -> [String] { [".TP", term, escaped(meaning)] }
}
