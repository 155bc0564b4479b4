/// Submitted lines, oldest first, for the arrow keys and the search.
package struct LineHistory: Equatable, Sendable {
    /// About a year of a quiet user's chat, in a file of a hundred kilobytes. A guess.
    package static let entriesMax = 1_000

    package private(set) var entries: [String] = []

    package init(_ lines: some Sequence<String> = EmptyCollection<String>()) {
        for line in lines { add(line) }
    }

    /// Adds `line` unless it contains a key, is blank, begins with a space (so that a user can keep a line out),
    /// contains a line break, or repeats the previous line. True if it was added and should be appended to the file.
    @discardableResult
    package mutating func add(_ line: String) -> Bool {
        guard let first = line.first, first != " ", line != entries.last, !SecretLine.holdsKey(line) else {
            return false
        }
        guard !line.allSatisfy(\.isWhitespace), !line.contains(where: \.isNewline) else { return false }
        if entries.count == Self.entriesMax { entries.removeFirst() }
        entries.append(line)
        return true
    }

    /// The newest entry at or before `index` that contains `text`, and the byte offset of the last match in it.
    func search(_ text: String, from index: Int) -> (index: Int, byteOffset: Int)? {
        let wanted = Array(text.utf8)
        guard !wanted.isEmpty else { return nil }
        var index = min(index, entries.count - 1)
        while index >= 0 {
            if let offset = Self.lastOccurrence(of: wanted, in: Array(entries[index].utf8)) { return (index, offset) }
            index -= 1
        }
        return nil
    }

    private static func lastOccurrence(of wanted: [UInt8], in bytes: [UInt8]) -> Int? {
        guard wanted.count <= bytes.count else { return nil }
        for offset in stride(from: bytes.count - wanted.count, through: 0, by: -1)
        where bytes[offset] == wanted[0] && bytes[offset..<(offset + wanted.count)].elementsEqual(wanted) {
            return offset
        }
        return nil
    }
}
