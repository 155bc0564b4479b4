import Foundation
import Glibc
import Synchronization

/// All that one stream of a program said so far.
// Safety: the buffer is lent to read(2) for the length of the call, with its true size.
final class Transcript: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Takes the descriptor over and reads it to its end on a thread of its own.
    init(reading descriptor: Int32) {
        Thread.detachNewThread { self.read(descriptor) }
    }

    var bytes: [UInt8] { state.withLock { $0.bytes } }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The finished lines.
    var lines: [String] {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the other side closed it, so that nothing more will come.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    private func read(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            state.withLock { $0.bytes += buffer[..<count] }
        }
        close(descriptor)
        state.withLock { $0.isClosed = true }
    }
}
