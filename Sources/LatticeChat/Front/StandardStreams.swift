import Dispatch
import Glibc

/// The process's standard input, output and error, read and written on threads of their own: a reader that stalls
/// (Ctrl-S, a full pipe) stops nobody but us.
// Safety: buffers are lent to read(2) and write(2) for the length of the call, with their true sizes.
struct StandardStreams: Sendable {
    private static let chunkBytes = 64 << 10
    private static let input = DispatchQueue(label: "lattice.input")
    private static let output = DispatchQueue(label: "lattice.output")

    /// What reading standard input came to.
    enum Chunk: Sendable {
        case bytes([UInt8])
        case end
        case woken
    }

    private let wakeRead: Int32
    private let wakeWrite: Int32

    init() {
        var ends: [Int32] = [0, 0]
        let result = pipe(&ends)
        precondition(result == 0, "a process can make one pipe at its start")
        (wakeRead, wakeWrite) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    /// Waits for bytes, the end, or `wake`.
    func read() async -> Chunk {
        await withCheckedContinuation { continuation in
            Self.input.async { continuation.resume(returning: readNow()) }
        }
    }

    /// Ends a waiting `read`, and every later one.
    func wake() {
        _ = Glibc.write(wakeWrite, [0], 1)
    }

    /// - Returns: whether all of it was written; `false` when nobody reads any more.
    func write(_ text: String, to descriptor: Int32) async -> Bool {
        guard !text.isEmpty else { return true }
        return await withCheckedContinuation { continuation in
            Self.output.async { continuation.resume(returning: writeNow(Array(text.utf8), to: descriptor)) }
        }
    }

    private func readNow() -> Chunk {
        var buffer = [UInt8](repeating: 0, count: Self.chunkBytes)
        while true {
            var polled = [
                pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeRead, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, -1) > 0 else {
                if errno == EINTR { continue }
                return .end
            }
            if polled[1].revents != 0 { return .woken }
            let count = buffer.withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress, $0.count) }
            if count > 0 { return .bytes(Array(buffer[..<count])) }
            if count == 0 { return .end }
            guard errno == EINTR || errno == EAGAIN else { return .end }
        }
    }

    private func writeNow(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&polled, 1, -1)
            default: return false
            }
        }
        return true
    }
}
