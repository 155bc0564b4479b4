/// A typed line that contains the key of a room. It is kept out of the history and not shown again.
package enum SecretLine {
    /// Whether the line has a key after the room, as in `/join #camp KEY`. Leading blanks and misspellings of `join` do
    /// not hide it.
    package static func holdsKey(_ line: String) -> Bool {
        let line = line.drop(while: \.isWhitespace)
        guard line.first == "/" else { return false }
        let parts = line.split(whereSeparator: \.isWhitespace)
        guard parts.count >= 3, let first = parts.first else { return false }
        let word = first.drop { $0 == "/" }.lowercased()
        if let command = CommandWord(rawValue: word) ?? CommandWord.aliases[word] { return command == .join }
        return parts[1].hasPrefix("#") || Spelling.nearest(to: word, among: [CommandWord.join.rawValue]) != nil
    }

    /// Whether the line tried to enter a private room.
    static func leads(_ line: String) -> Bool {
        let word = line.trimming().prefix { !$0.isWhitespace }.drop { $0 == "/" }.lowercased()
        let command = CommandWord(rawValue: word) ?? CommandWord.aliases[word]
        return command == .create || holdsKey(line)
    }

    /// The line with its key cut off.
    package static func masked(_ line: String) -> String {
        guard holdsKey(line) else { return line }
        return line.trimming().split(whereSeparator: \.isWhitespace).prefix(2).joined(separator: " ") + " …"
    }
}
