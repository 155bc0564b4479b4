import Glibc
import LatticeAPI
import LatticeCore

/// The file of a bundle: written as a draft and renamed, so that a name never stands for half a file; read in pieces.
///
/// `/dev/stdin` and `/dev/stdout` are this process's own streams, whatever they are.
// Safety: buffers are lent to read(2) and write(2) for the length of the call, with their true sizes.
struct BundleFile: ~Copyable {
    static let pieceBytes = 1 << 20
    private let descriptor: Int32
    private let path: String
    /// The draft's path until it is complete; `nil` when reading.
    private let temporary: String?
    /// Its size when it was opened, so that a growing file also has an end.
    private var unreadBytes = 0

    init(reading path: String) throws(RequestError) {
        let isStream = path == "/dev/stdin"
        // Without O_NONBLOCK a named pipe would block the program forever.
        descriptor = isStream ? dup(0) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        self.path = path
        temporary = nil
        guard descriptor >= 0 else { throw Self.failure(path, .read) }
        guard !isStream else {
            unreadBytes = .max
            return
        }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw Self.failure(path, .read) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .file(fault: .notPlain(path: path, use: .read)) }
        unreadBytes = Int(facts.st_size)
    }

    init(writing path: String) throws(RequestError) {
        let isStream = path == "/dev/stdout"
        var facts = stat()
        // Renaming would replace a device with a file.
        let isFree = !isStream && (stat(path, &facts) != 0 || facts.st_mode & S_IFMT == S_IFREG)
        let temporary = "\(path).\(getpid()).part"
        if isFree { unlink(temporary) }
        descriptor =
            isStream ? dup(1) : isFree ? open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) : -1
        self.path = path
        self.temporary = isFree && descriptor >= 0 ? temporary : nil
        guard isStream || isFree else { throw .file(fault: .notPlain(path: path, use: .write)) }
        guard descriptor >= 0 else { throw Self.failure(path, .write) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let temporary { unlink(temporary) }
    }

    /// - Returns: empty at the end.
    mutating func read() throws(RequestError) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: min(Self.pieceBytes, unreadBytes))
        while true {
            let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                unreadBytes -= count
                return Array(piece.prefix(count))
            }
            guard errno == EINTR else { throw Self.failure(path, .read) }
        }
    }

    func write(_ bytes: [UInt8]) throws(RequestError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw Self.failure(path, .write)
            }
            written += count
        }
    }

    /// Syncs it to disk and gives it its name: a USB stick may be unplugged right after.
    func finish() throws(RequestError) {
        guard let temporary else { return }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw Self.failure(path, .write) }
    }

    private static func failure(_ path: String, _ use: FileFault.Use) -> RequestError {
        let number = errno
        let reason = String(cString: strerror(number))
        return .file(fault: .failed(path: path, use: use, reason: reason, isDiskFull: number == ENOSPC))
    }
}
