/// Asks once about a bare word that looks like a command without its slash; typed again, it is sent.
struct PendingConfirmation {
    private static let commands: [String: CommandWord] = [
        "help": .help, "?": .help, "quit": .quit, "exit": .quit, ":q": .quit,
    ]

    private var asked: String?

    /// - Returns: the question, or `nil` if the line can be sent.
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
