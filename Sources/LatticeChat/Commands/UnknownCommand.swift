import LatticeCore

/// A slash and a word that is no command: what was probably meant, and how to say it all the same.
struct UnknownCommand: CustomStringConvertible {
    private let word: String
    private let meant: String?

    /// - Parameter words: what can be meant.
    init(_ word: String, _ words: [String]) {
        self.word = DisplayText.isolated(String(word.prefix(32)))
        let typed = word.lowercased()
        meant = CommandWord.foreign[typed]?.rawValue ?? Spelling.nearest(to: typed, among: words)
    }

    var description: String { "\(sentence) (//\(word) says it as text.)" }

    var sentence: String {
        let next = meant.map { "Did you mean /\($0)?" } ?? "/help lists the commands."
        return "There is no command /\(word). \(next)"
    }
}
