/// Words for a POSIX shell.
enum ShellWords {
    /// A word that the shell takes as it stands.
    static func quoted(_ word: String) -> String {
        "'\(word.replacing("'", with: #"'\''"#))'"
    }

    /// The words as a person would type them: quotes only where a shell needs them.
    static func text(_ words: [String]) -> String {
        words.map { word in
            let isPlain =
                !word.isEmpty
                && word.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"):
                        true
                    default: "-_./:,+@".utf8.contains(byte)
                    }
                }
            return isPlain ? word : quoted(word)
        }.joined(separator: " ")
    }
}
