import Glibc

/// Reads a passphrase from a file or a pipe. Its bytes are used as they are.
package enum Passphrase {
    package static let bytesMax = 1_024

    /// The first line of a file, without its line end. A regular file that others can read is refused.
    ///
    /// - Parameter path: `-` is standard input; nothing after the line is consumed.
    package static func read(path: String) throws(PassphraseError) -> SecretBytes {
        guard path != "-" else { return try firstLine(of: STDIN_FILENO, from: "standard input") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable(from: path, reason: lastError()) }
        defer { close(descriptor) }
        try checkPrivate(descriptor, path)
        return try firstLine(of: descriptor, from: path)
    }

    /// The same check for a secret that other code reads, such as a certificate's key.
    package static func checkPrivate(path: String) throws(PassphraseError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(from: path, reason: lastError()) }
        defer { close(descriptor) }
        try checkPrivate(descriptor, path)
    }

    private static func checkPrivate(_ descriptor: Int32, _ path: String) throws(PassphraseError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(from: path, reason: lastError()) }
        let mode = status.st_mode & 0o7777
        if status.st_mode & S_IFMT == S_IFREG, mode & 0o077 != 0 { throw .readableByOthers(path: path, mode: mode) }
    }

    /// Like `read`, for a secret that is used as text.
    package static func text(path: String) throws(PassphraseError) -> [UInt8] {
        let line = try read(path: path)
        return (0..<line.count).map { line[$0] }
    }

    private static func firstLine(of descriptor: Int32, from source: String) throws(PassphraseError) -> SecretBytes {
        var line: [UInt8] = []
        line.reserveCapacity(bytesMax + 1)
        defer { Sodium.wipe(&line) }
        // One byte at a time, to leave what follows the line to other readers.
        while let byte = try nextByte(descriptor, from: source), byte != UInt8(ascii: "\n") {
            guard line.count < bytesMax + 1 else { throw .tooLong(from: source) }
            line.append(byte)
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard !line.isEmpty else { throw .empty(from: source) }
        guard line.count <= bytesMax else { throw .tooLong(from: source) }
        return SecretBytes(copying: line)
    }

    private static func nextByte(_ descriptor: Int32, from source: String) throws(PassphraseError) -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(descriptor, &byte, 1)
            if count == 1 { return byte }
            if count == 0 { return nil }
            guard errno == EINTR else { throw .unreadable(from: source, reason: lastError()) }
        }
    }

    private static func lastError() -> String {
        String(cString: strerror(errno))
    }
}

/// Why a passphrase cannot be read; each message says what to do.
package enum PassphraseError: Error, Equatable, CustomStringConvertible {
    case unreadable(from: String, reason: String)
    case readableByOthers(path: String, mode: UInt32)
    case empty(from: String)
    case tooLong(from: String)

    package var description: String { told(of: "passphrase") }

    /// - Parameter secret: what people call it.
    package func told(of secret: String) -> String {
        switch self {
        case .unreadable(let source, let reason): "cannot read the \(secret) from \(source): \(reason)"
        case .readableByOthers(let path, let mode):
            "others can read the \(secret) in \(path) (its mode is \(String(mode, radix: 8))); keep it to yourself: "
                + "chmod 600 \(path)"
        case .empty(let source): "the \(secret) from \(source) is empty; its first line is the \(secret)"
        case .tooLong(let source):
            "the \(secret) from \(source) has more than \(Passphrase.bytesMax) bytes in its first line"
        }
    }
}
