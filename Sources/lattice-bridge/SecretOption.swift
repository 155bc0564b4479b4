import ArgumentParser
import Glibc

/// Files with secrets, which nobody else may read.
enum SecretOption {
    private static let bytesMax = 4_096

    static func file(_ path: String) throws -> String {
        var facts = stat()
        guard stat(path, &facts) == 0, access(path, R_OK) == 0 else {
            throw ValidationError("\(path): \(String(cString: strerror(errno))).")
        }
        guard facts.st_mode & 0o077 == 0 else {
            throw ValidationError("others on this machine may read \(path); 'chmod 600 \(path)' changes that.")
        }
        return path
    }

    static func line(of path: String) throws -> String {
        let text = try text(of: path).prefix { !$0.isNewline }
        guard !text.isEmpty else { throw ValidationError("the first line of \(path) is empty.") }
        return String(text)
    }

    /// The beginning of a file, which nobody else may read.
    static func text(of path: String) throws -> String {
        let file = open(try self.file(path), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ValidationError("\(path): \(String(cString: strerror(errno))).") }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = read(file, &bytes, bytes.count)
        guard let text = String(validating: bytes.prefix(max(count, 0)), as: UTF8.self) else {
            throw ValidationError("\(path) is no text.")
        }
        return text
    }
}
