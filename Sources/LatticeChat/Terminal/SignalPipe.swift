internal import Glibc

/// Wakes a thread that waits in `poll`. Several signals count as one.
final class SignalPipe: Sendable {
    let reader: Int32
    let writer: Int32

    init() throws(TerminalDevice.Fault) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw TerminalDevice.Fault(act: "make a pipe", errorNumber: errno) }
        (reader, writer) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(reader)
        close(writer)
    }

    func signal() {
        var byte: UInt8 = 1
        // If the pipe is full, the reader wakes up anyway.
        _ = Glibc.write(writer, &byte, 1)
    }

    /// Empties the pipe. True if it contained anything.
    func drain() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256)
        var hasSignal = false
        while Glibc.read(reader, &bytes, bytes.count) > 0 { hasSignal = true }
        return hasSignal
    }
}
