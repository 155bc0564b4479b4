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
        let line = try bytes(of: path).prefix { ![UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0) }
        guard !line.isEmpty, let text = String(validating: line, as: UTF8.self) else {
            throw ValidationError("the first line of \(path) is empty, or no text.")
        }
        return text
    }

    static func text(of path: String) throws -> String {
        guard let text = String(validating: try bytes(of: path), as: UTF8.self) else {
            throw ValidationError("\(path) is no text.")
        }
        return text
    }

    /// The beginning of a file, which nobody else may read.
    private static func bytes(of path: String) throws -> [UInt8] {
        let file = open(try self.file(path), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ValidationError("\(path): \(String(cString: strerror(errno))).") }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw ValidationError("\(path): \(String(cString: strerror(errno))).") }
        return Array(bytes.prefix(count))
    }
}
