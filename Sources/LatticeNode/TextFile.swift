import Glibc

/// A system error number.
package struct SystemError: Error, CustomStringConvertible {
    let code: Int32

    package init(code: Int32) { self.code = code }

    package var description: String { String(cString: strerror(code)) }
}

/// A small text file, read whole and replaced whole.
// Safety: buffers are lent to read(2) and write(2) for the length of the call, with their true sizes.
struct TextFile: Sendable {
    /// Enough for names, locks and lists of ids; 16,000 contacts.
    static let bytesMax = 1 << 20
    let path: String
    private let bytesMax: Int

    init(path: String, bytesMax: Int = TextFile.bytesMax) {
        self.path = path
        self.bytesMax = bytesMax
    }

    /// - Returns: `nil` if there is no file.
    func read() throws(SystemError) -> String? {
        // Without O_NONBLOCK a named pipe at this path would block the program forever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw SystemError(code: errno)
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw SystemError(code: errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw SystemError(code: EINVAL) }
        guard facts.st_size <= bytesMax else { throw SystemError(code: EFBIG) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while text.count < bytesMax {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes a draft, then renames it: a crash leaves either the old or the new text.
    ///
    /// - Parameter isDurable: whether that also holds for a power failure.
    func replace(with text: String, isDurable: Bool = false) throws(SystemError) {
        let temporary = "\(path).\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        do throws(SystemError) {
            defer { close(descriptor) }
            try write(text, to: descriptor)
            if isDurable, fsync(descriptor) != 0 { throw SystemError(code: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw SystemError(code: code)
        }
    }

    /// Writes in place, which needs no extra space: for when `replace` fails on a full disk. Only for unimportant text, as a
    /// crash may leave a mixture.
    func overwrite(with text: String) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        defer { close(descriptor) }
        try write(text, to: descriptor)
        guard ftruncate(descriptor, off_t(text.utf8.count)) == 0 else { throw SystemError(code: errno) }
    }

    /// Holds an exclusive lock while the descriptor is open: until the process ends, or it is closed.
    @discardableResult
    func lock(writing text: String) throws(SystemError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw SystemError(code: code)
        }
        guard ftruncate(descriptor, 0) == 0 else { return descriptor }
        do {
            try write(text, to: descriptor)
        } catch {
            // The disk is full. The lock still holds; only its owner cannot be shown.
        }
        return descriptor
    }

    private func write(_ text: String, to descriptor: Int32) throws(SystemError) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw SystemError(code: errno)
            }
            written += count
        }
    }
}
