internal import LatticeAPI
package import LatticeCore

/// What Tab can complete: commands, rooms, names, numbers of lines and emoji.
package struct Completer: Sendable {
    private let names: [String]
    private let rooms: [RoomName]
    private let extraWords: [String]
    private let addressees: [String]
    package var lines: ScreenLines

    /// - Parameters:
    ///   - extraWords: commands besides `CommandWord`.
    ///   - addressees: names of people to talk to privately, present or not.
    package init(
        names: [String], rooms: [RoomName], extraWords: [String] = [], addressees: [String] = [],
        lines: ScreenLines = ScreenLines()
    ) {
        self.lines = lines
        self.names = names
        self.rooms = rooms
        self.extraWords = extraWords
        self.addressees = addressees
    }

    package func complete(_ before: String) -> Completion {
        let word = before.suffix(while: { !$0.isWhitespace })
        let isFirst = word.count == before.count
        if isFirst, word.hasPrefix("/"), !word.hasPrefix("//") {
            // Aliases complete only when typed in full: they are for people who know them.
            let aliases = CommandWord.aliases.keys.filter { "/\($0)" == word.lowercased() }
            let known = CommandWord.allCases.map(\.rawValue) + aliases + extraWords
            return completion(of: word, among: known.map { "/\($0)" }, suffix: " ")
        }
        let typed = before.split(separator: " ", omittingEmptySubsequences: false)
        if typed.count == 2, typed[0].lowercased() == "/\(CommandWord.sync.rawValue)" {
            return completion(of: word, among: ["now", "status"], suffix: " ")
        }
        if let numbers = numbers(word, NumberedCommand(typing: before)) ?? emoji(word) { return numbers }
        if typed.count == 2, Self.takesAnybody(typed[0].lowercased()) {
            let found = completion(of: word, among: addressees, suffix: " ")
            // A name with blanks needs quotes to be one word.
            let quoted = found.candidates.map { $0.contains(where: \.isWhitespace) ? "\"\($0)\"" : $0 }
            return Completion(replaceLength: found.replaceLength, candidates: quoted, suffix: found.suffix)
        }
        if word.hasPrefix("#") { return completion(of: word, among: rooms.map(\.text), suffix: " ") }
        guard !word.isEmpty else { return .none }
        return completion(of: word, among: names, suffix: isFirst ? ": " : " ")
    }

    /// Numbers of lines that fit the command, newest first. For /edit, with the line's text.
    private func numbers(_ word: String, _ command: NumberedCommand?) -> Completion? {
        guard let command else { return nil }
        let found = lines.entries(for: command).reversed().filter { "\($0.number)".hasPrefix(word) }
        guard !found.isEmpty else { return nil }
        return Completion(
            replaceLength: word.count,
            candidates: found.map { "\($0.number) " + (command == .edit ? $0.editable ?? "" : "") }, suffix: "",
            walks: true)
    }

    /// Emoji for `:thu` and `:thumbs_up:`.
    private func emoji(_ word: String) -> Completion? {
        guard word.hasPrefix(":"), word.count > 1 else { return nil }
        let found = EmojiNames.emoji(word).map { [$0] } ?? EmojiNames.emoji(beginning: word.dropFirst())
        return found.isEmpty ? nil : Completion(replaceLength: word.count, candidates: found, suffix: " ", walks: true)
    }

    /// Whether the command accepts somebody who is not here.
    private static func takesAnybody(_ command: String) -> Bool {
        let own = [CommandWord.msg, .query, .ignore, .unignore, .reply, .react].map { "/\($0.rawValue)" }
        return (own + ["/view", "/verify", "/block", "/unblock", "/follow", "/unfollow"]).contains(command)
    }

    private func completion(of word: String, among candidates: [String], suffix: String) -> Completion {
        let folded = word.lowercased()
        let matching = candidates.filter { $0.lowercased().hasPrefix(folded) }
        return Completion(replaceLength: word.count, candidates: matching, suffix: suffix)
    }
}

extension String {
    fileprivate func suffix(while predicate: (Character) -> Bool) -> String {
        String(reversed().prefix(while: predicate).reversed())
    }
}
