import Foundation
import GRDB

extension DatabaseFile {
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

    /// Checks the beginning of a store's file and the list of its tables, and changes nothing. `lattice store check` reads
    /// all of it.
    ///
    /// - Returns: the fault; `nil` if the file opens or does not exist.
    package static func fault(at name: String) -> StoreError? {
        guard FileManager.default.fileExists(atPath: name) else { return nil }
        var configuration = StoreOpening.configuration
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: plainPath(name), configuration: configuration)
            let state = try queue.read { try Schema.state(in: $0) }
            try queue.close()
            return state == .newer ? .tooNew(path: name) : nil
        } catch {
            // A read-only folder is reported for the folder, and a busy file is no fault.
            let fault = StoreError(error, path: name)
            if case .damaged = fault { return fault }
            return nil
        }
    }

    /// A path that SQLite does not take for a URI.
    package static func plainPath(_ name: String) -> String { name.hasPrefix("file:") ? "./\(name)" : name }
}
