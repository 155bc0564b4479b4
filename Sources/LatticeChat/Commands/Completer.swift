package import LatticeCore

/// What Tab may put in place of the word before the cursor: commands, rooms, names.
package struct Completer: Sendable {
    private let names: [String]
    private let rooms: [RoomName]
    private let extraWords: [String]

    /// - Parameter extraWords: commands besides `CommandWord`.
    package init(names: [String], rooms: [RoomName], extraWords: [String] = []) {
        self.names = names
        self.rooms = rooms
        self.extraWords = extraWords
    }

    package func complete(_ before: String) -> Completion {
        let word = before.suffix(while: { !$0.isWhitespace })
        let isFirst = word.count == before.count
        if isFirst, word.hasPrefix("/"), !word.hasPrefix("//") {
            let known = CommandWord.allCases.map(\.rawValue) + CommandWord.aliases.keys.sorted() + extraWords
            let words = known.map { "/\($0)" }
            return completion(of: word, among: words.filter { $0.count > 2 || $0 == word }, suffix: " ")
        }
        let typed = before.split(separator: " ", omittingEmptySubsequences: false)
        if typed.count == 2, typed[0].lowercased() == "/\(CommandWord.sync.rawValue)" {
            return completion(of: word, among: ["now", "status"], suffix: " ")
        }
        if word.hasPrefix("#") { return completion(of: word, among: rooms.map(\.text), suffix: " ") }
        guard !word.isEmpty else { return .none }
        return completion(of: word, among: names, suffix: isFirst ? ": " : " ")
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
