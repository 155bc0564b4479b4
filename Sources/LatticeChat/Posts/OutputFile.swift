import Glibc

/// A file that is there whole or not at all.
package enum OutputFile {
    /// Writes beside it, then renames: a reader finds the old text or the new.
    package static func write(_ text: String, to path: String) throws(CommandFailure) {
        var facts = stat()
        // Renaming over a device would put a file in its place.
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG {
            throw CommandFailure(
                code: "fileFailed", "cannot write \(path): it is a folder, pipe or device; use a plain file")
        }
        let temporary = "\(path).\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(path) }
        var isWritten = writeAll(Array(text.utf8), to: descriptor) && fsync(descriptor) == 0
        isWritten = close(descriptor) == 0 && isWritten
        guard isWritten, rename(temporary, path) == 0 else {
            let failure = failure(path)
            unlink(temporary)
            throw failure
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(1 << 16))
            let count = Glibc.write(descriptor, piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func failure(_ path: String) -> CommandFailure {
        let reason = String(cString: strerror(errno))
        return CommandFailure(code: "fileFailed", "cannot write \(path): \(reason); use another file")
    }
}
