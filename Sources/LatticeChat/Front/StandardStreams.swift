import Dispatch
import Glibc

/// Standard input, output and error, each on a thread of its own: a stalled reader (Ctrl-S, a full pipe) blocks nothing
/// else.
// Safety: buffers are lent to read(2) and write(2) for the length of the call, with their true sizes.
struct StandardStreams: Sendable {
    private static let output = DispatchQueue(label: "lattice.output")
    /// A separate queue, because standard error may have no reader.
    private static let error = DispatchQueue(label: "lattice.error")
    /// A pipe that polls as writable takes this much without blocking (PIPE_BUF; pipe(7)).
    private static let pieceBytes = 4_096
    /// Milliseconds after which writing to a stalled standard error is given up.
    private static let errorPatience: Int32 = 500

    private let wakeRead: Int32
    private let wakeWrite: Int32
    private let isOutputPipe: Bool
    private let input: StandardInput

    init() {
        var facts = stat()
        isOutputPipe = fstat(1, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
        var ends: [Int32] = [0, 0]
        let result = pipe(&ends)
        precondition(result == 0, "a process can make one pipe at its start")
        (wakeRead, wakeWrite) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        input = StandardInput(wake: wakeRead)
    }

    /// Waits for bytes, the end of input, or `wake`.
    func read() async -> StandardInput.Chunk {
        await input.read()
    }

    /// Ends a waiting `read` and every later one.
    func wake() {
        _ = Glibc.write(wakeWrite, [0], 1)
    }

    /// Writes, waiting for a slow reader.
    ///
    /// - Returns: whether everything was written; `false` if there is no reader any more or `wake` was called.
    func writeOutput(_ text: String) async -> Bool {
        guard !text.isEmpty, !writeAtOnce(text) else { return true }
        return await withCheckedContinuation { continuation in
            Self.output.async { continuation.resume(returning: writeNow(Array(text.utf8), to: 1, patience: -1)) }
        }
    }

    /// Writes lines, dropping them if nobody reads.
    func writeError(_ text: String) async {
        guard !text.isEmpty else { return }
        await withCheckedContinuation { continuation in
            Self.error.async {
                _ = writeNow(Array(text.utf8), to: 2, patience: Self.errorPatience)
                continuation.resume()
            }
        }
    }

    /// Writes a short text to a pipe that has space for it, without the cost of another thread.
    private func writeAtOnce(_ text: String) -> Bool {
        var text = text
        guard isOutputPipe, text.utf8.count <= Self.pieceBytes else { return false }
        return text.withUTF8 { bytes in
            var polled = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
            guard poll(&polled, 1, 0) == 1, polled.revents == Int16(POLLOUT) else { return false }
            return Glibc.write(1, bytes.baseAddress, bytes.count) == bytes.count
        }
    }

    private func writeNow(_ bytes: [UInt8], to descriptor: Int32, patience: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            var polled = [descriptor, wakeRead].map {
                pollfd(fd: $0, events: Int16($0 == descriptor ? POLLOUT : POLLIN), revents: 0)
            }
            let ready = poll(&polled, 2, patience)
            if ready < 0, errno == EINTR { continue }
            // There is no reader, or the wait is over.
            guard ready > 0, polled[0].revents != 0 else { return false }
            let piece = bytes[written..<min(written + Self.pieceBytes, bytes.count)]
            let count = piece.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { written += count } else if errno != EINTR, errno != EAGAIN { return false }
        }
        return true
    }
}
