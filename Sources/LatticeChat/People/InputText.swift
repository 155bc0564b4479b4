import Glibc

/// A text file or standard input.
// Safety: a buffer is lent to read(2) for the length of the call, with its true size.
package enum InputText {
    /// - Parameter path: `nil` is standard input.
    package static func read(_ path: String?, bytesMax: Int) throws(CommandFailure) -> String {
        let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) } ?? 0
        guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
        defer { if path != nil { close(descriptor) } }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path, String(cString: strerror(errno))) }
            if count == 0 { return String(decoding: text, as: UTF8.self) }
            text += buffer[..<count]
            guard text.count <= bytesMax else { throw failure(path, "it has more than \(bytesMax) bytes") }
        }
    }

    private static func failure(_ path: String?, _ reason: String) -> CommandFailure {
        CommandFailure(code: "fileFailed", "cannot read \(path ?? "standard input"): \(reason); use another file")
    }
}
