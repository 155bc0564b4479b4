/// A typed line that holds the key of a room: it is neither remembered nor shown again.
package enum SecretLine {
    /// Whether what stands behind the room in it is a key: `/join #camp KEY`, whatever stands before it and however `join` is
    /// misspelt.
    package static func holdsKey(_ line: String) -> Bool {
        let parts = line.trimming().split(whereSeparator: \.isWhitespace)
        guard parts.count >= 3, let first = parts.first, first.hasPrefix("/") else { return false }
        let word = first.drop { $0 == "/" }.lowercased()
        if let command = CommandWord(rawValue: word) ?? CommandWord.aliases[word] { return command == .join }
        return parts[1].hasPrefix("#") || Spelling.nearest(to: word, among: [CommandWord.join.rawValue]) != nil
    }

    /// Whether it was to lead into a private room.
    static func leads(_ line: String) -> Bool {
        let word = line.trimming().prefix { !$0.isWhitespace }.drop { $0 == "/" }.lowercased()
        let command = CommandWord(rawValue: word) ?? CommandWord.aliases[word]
        return command == .create || holdsKey(line)
    }

    /// What may be shown of such a line.
    package static func masked(_ line: String) -> String {
        guard holdsKey(line) else { return line }
        return line.trimming().split(whereSeparator: \.isWhitespace).prefix(2).joined(separator: " ") + " …"
    }
}
