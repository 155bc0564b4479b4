import Foundation

extension Store {
    private static let portionBytes = 1 << 20

    /// Whether a file is a store: looks for the SQL of its first table in the file or its log, so that damaged files and files
    /// with an unmerged log count too. An empty file also counts.
    package static func isStore(_ path: String) -> Bool {
        guard let size = bytesCount(path) else { return false }
        return size == 0 || [path, "\(path)-wal"].contains { holds(Data(Schema.signature.utf8), $0) }
    }

    /// - Returns: `nil` if it is not a regular file: opening a pipe would block.
    private static func bytesCount(_ path: String) -> Int64? {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG ? Int64(facts.st_size) : nil
    }

    private static func holds(_ words: Data, _ path: String) -> Bool {
        guard bytesCount(path) != nil, let file = FileHandle(forReadingAtPath: path) else { return false }
        var rest = Data()
        do {
            while let next = try file.read(upToCount: portionBytes), !next.isEmpty {
                let seen = rest + next
                if seen.range(of: words) != nil { return true }
                // The SQL may span two portions.
                rest = Data(seen.suffix(words.count - 1))
            }
        } catch {
            return false  // An unreadable file is not known to be ours.
        }
        return false
    }
}
