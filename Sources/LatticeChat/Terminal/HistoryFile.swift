internal import Glibc

/// The history on disk: a line an entry, readable by its owner only. Nothing that goes wrong with it stops a chat: each
/// act gives back a sentence to show instead, or nil.
// Safety: buffers are lent to read(2) and write(2) for the length of the call, with their true sizes.
package struct HistoryFile: Sendable {
    /// What is read of a longer file: as many lines as are kept, each as long as a line may be.
    static let bytesMax = LineHistory.entriesMax * 4_096

    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Reads the newest lines, repaired where they are not UTF-8. A file that is not there yet is an empty history. One
    /// that has grown to twice what is kept is written anew.
    package func load() -> (history: LineHistory, message: String?) {
        // Without O_NONBLOCK a named pipe at this path would hold the program up for ever.
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

    /// Adds a line that `LineHistory.add` has kept. Several programs may do so at once: the line goes out in one write.
    package func append(_ line: String) -> String? {
        write([line], to: path, flags: O_APPEND)
    }

    /// Puts the whole history in place of the file, or leaves the file as it was.
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
        // A file that was there before may have been readable by others.
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
        // The file may grow while it is read; the limit holds for what is read, not for what it was.
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
