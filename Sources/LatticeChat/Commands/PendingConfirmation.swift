/// A line of one bare word that looks like a command without its slash: it is asked about once, and said when it comes again.
struct PendingConfirmation {
    /// The word, and the command that it probably stands for.
    private static let commands: [String: CommandWord] = [
        "help": .help, "?": .help, "quit": .quit, "exit": .quit, ":q": .quit,
    ]

    private var asked: String?

    /// - Returns: the question; `nil` if the line is sent without one.
    mutating func question(about line: String) -> String? {
        let word = line.trimming().lowercased()
        guard let command = Self.commands[word], asked != word else {
            asked = nil
            return nil
        }
        asked = word
        return "Did you mean /\(command.rawValue)? '\(word)' was not sent. Enter it again to say it."
    }
}
