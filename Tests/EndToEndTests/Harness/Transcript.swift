import Foundation
import Glibc
import Synchronization

/// All that one stream of a program said so far.
// Safety: the buffer is lent to read(2) for the length of the call, with its true size.
final class Transcript: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        /// The finished lines, and where the next one begins: tests look very often, so no byte is read twice.
        var lines: [String] = []
        var lineStart = 0
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
        state.withLock { state in
            while let end = state.bytes[state.lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
                state.lines.append(String(decoding: state.bytes[state.lineStart..<end], as: UTF8.self))
                state.lineStart = end + 1
            }
            return state.lines
        }
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
