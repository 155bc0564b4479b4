import LatticeChat

/// Makes words ready for the parser of arguments, and takes its traces away again.
enum ArgumentWords {
    /// A coordinate in the south or a number below zero begins like an option. A blank before it says that it is none;
    /// whoever reads a place or a number drops it.
    static func shielded(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<end].map { isNumber($0) ? " \($0)" : $0 } + words[end...]
    }

    /// Free text from its words, as it was typed but for the blanks between them.
    static func text(_ words: [String]) -> String {
        words.map { $0.hasPrefix(" ") && isNumber(String($0.dropFirst())) ? String($0.dropFirst()) : $0 }
            .joined(separator: " ")
    }

    /// What the parser says of the words, as they were typed.
    static func unshielded(_ message: String) -> String { message.replacing("' -", with: "'-") }

    private static func isNumber(_ word: String) -> Bool {
        guard word.hasPrefix("-") else { return false }
        let rest = word.dropFirst().drop { $0 == "." }.first
        return rest.map { $0.isASCII && $0.isNumber } ?? false
    }
}
