internal import Glibc

/// The history on disk: one entry a line, readable by its owner only. Failures never stop a chat: each operation
/// returns a sentence to show, or nil.
// Safety: buffers are lent to read(2) and write(2) for the length of the call, with their true sizes.
package struct HistoryFile: Sendable {
    /// How much of a longer file is read: all entries that are kept, each at the maximum length.
    static let bytesMax = LineHistory.entriesMax * 4_096

    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Reads the newest lines, repairing invalid UTF-8. A missing file is an empty history. A file twice as long as
    /// what is kept is rewritten.
    package func load() -> (history: LineHistory, message: String?) {
        // Without O_NONBLOCK, opening a named pipe at this path would block forever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            return (LineHistory(), errno == ENOENT ? nil : complaint("cannot be read"))
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            return (LineHistory(), "history \(path) is not a file")
        }
        let skipped = max(0, Int(facts.st_size) - Self.bytesMax)
        guard lseek(descriptor, off_t(skipped), SEEK_SET) >= 0, let bytes = Self.readToEnd(descriptor) else {
            return (LineHistory(), complaint("cannot be read"))
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n")).dropFirst(skipped > 0 ? 1 : 0)
        let history = LineHistory(lines.map { String(decoding: $0, as: UTF8.self) })
        let isOvergrown = skipped > 0 || lines.count > 2 * LineHistory.entriesMax
        return (history, isOvergrown ? rewrite(history) : nil)
    }

    /// Appends a line that `LineHistory.add` accepted, in one write, because several programs may append at once.
    package func append(_ line: String) -> String? {
        write([line], to: path, flags: O_APPEND)
    }

    /// Replaces the file with the whole history, or leaves it unchanged on failure.
    package func rewrite(_ history: LineHistory) -> String? {
        let draft = "\(path).\(getpid()).new"
        if let message = write(history.entries, to: draft, flags: O_TRUNC) {
            unlink(draft)
            return message
        }
        guard rename(draft, path) == 0 else {
            let message = complaint("cannot be replaced")
            unlink(draft)
            return message
        }
        return nil
    }

    private func write(_ lines: [String], to path: String, flags: Int32) -> String? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0o600)
        guard descriptor >= 0 else { return complaint("cannot be written") }
        defer { close(descriptor) }
        // An older file may have been readable by others.
        guard fchmod(descriptor, 0o600) == 0 else { return complaint("cannot be made private") }
        var rest = ArraySlice(lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] })
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return complaint("cannot be written") }
            rest = rest.dropFirst(written)
        }
        return nil
    }

    private func complaint(_ what: String) -> String {
        "history \(path) \(what): \(String(cString: strerror(errno)))"
    }

    private static func readToEnd(_ descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        // The file may grow while it is read, so the limit applies to the bytes read.
        while bytes.count <= bytesMax {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}
