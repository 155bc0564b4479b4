import LatticeCore

/// An unknown slash command: suggests what was meant, and how to send the line as text.
struct UnknownCommand: CustomStringConvertible {
    private let word: String
    private let meant: String?

    /// - Parameter words: the known commands.
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
