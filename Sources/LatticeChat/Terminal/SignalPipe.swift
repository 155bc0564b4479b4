internal import Glibc

/// Tells a thread that waits in `poll` that something happened. A byte in it says so; more of them say no more.
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
        // A full pipe says enough.
        _ = Glibc.write(writer, &byte, 1)
    }

    /// Empties the pipe; true if anything was in it.
    func drain() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256)
        var hasSignal = false
        while Glibc.read(reader, &bytes, bytes.count) > 0 { hasSignal = true }
        return hasSignal
    }
}
