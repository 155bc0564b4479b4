internal import Glibc
internal import Synchronization

/// The terminal device: raw mode, size, and bytes, which one thread reads. The only file that uses termios and signals.
///
/// Safety: pointers come only from `&` and `with…` for the length of one call. The signal handler and `restore` touch
/// only the three globals below; the handler only an atomic, `write` and `errno`.
package final class TerminalDevice: Sendable {
    package enum Input: Equatable, Sendable {
        case bytes([UInt8])
        /// The size may have changed; `size` has it.
        case resized
        /// Nothing came for `silenceMilliseconds`, as the caller wanted to know.
        case silent
        case woken
        case endOfInput
    }

    package struct Size: Equatable, Sendable {
        package var columns: Int
        package var rows: Int

        package init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    package struct Fault: Error, Equatable, CustomStringConvertible {
        package let act: String
        package let errorNumber: Int32

        package var description: String { "terminal: cannot \(act): \(String(cString: strerror(errorNumber)))" }
    }

    /// Long enough for the rest of a sequence over a slow line, too short to be noticed after the Escape key.
    package static let silenceMilliseconds: Int32 = 40
    private static let readBytesMax = 4_096

    private let input: Int32
    private let output: Int32
    private let wakePipe: SignalPipe
    private let resizePipe: SignalPipe

    package init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) throws(Fault) {
        self.input = input
        self.output = output
        wakePipe = try SignalPipe()
        resizePipe = try SignalPipe()
        _ = atexit { TerminalDevice.restore() }
        watchSize()
    }

    deinit {
        // The handler writes to the pipe of the newest device, which may be another one.
        _ = resizeWriter.compareExchange(expected: resizePipe.writer, desired: -1, ordering: .sequentiallyConsistent)
    }

    /// Whether an editor cannot run: input or output is not a terminal, or the terminal knows no control sequences.
    package static var plainWanted: Bool {
        plainWanted(term: environment("TERM"), input: STDIN_FILENO, output: STDOUT_FILENO)
    }

    package static func plainWanted(term: String?, input: Int32, output: Int32) -> Bool {
        switch term {
        case nil, "", "dumb": true
        default: isatty(input) == 0 || isatty(output) == 0
        }
    }

    /// Delivers every key as bytes, including Control-C and Control-Z. Output processing stays on, so a "\n" printed by
    /// others still starts a row. Does nothing in raw mode.
    package func enterRaw() throws(Fault) {
        let fault: Fault? = rawMode.withLock { raw in
            guard raw == nil else { return nil }
            var mode = termios()
            guard tcgetattr(input, &mode) == 0 else { return Fault(act: "read the mode", errorNumber: errno) }
            let saved = mode
            mode.c_iflag &= ~tcflag_t(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON)
            mode.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
            mode.c_cflag = mode.c_cflag & ~tcflag_t(CSIZE | PARENB) | tcflag_t(CS8)
            withUnsafeMutableBytes(of: &mode.c_cc) { control in
                control[Int(VMIN)] = 1
                control[Int(VTIME)] = 0
            }
            guard setMode(input, mode) == 0 else { return Fault(act: "set the mode", errorNumber: errno) }
            raw = RawMode(input: input, output: output, saved: saved)
            return nil
        }
        if let fault { throw fault }
    }

    package func leaveRaw() { Self.restore() }

    /// Restores the terminal to its state before `enterRaw`. Any thread may call it at any time, even after a fault. It
    /// also runs on `exit`.
    package static func restore() {
        rawMode.withLock { raw in
            guard let mode = raw else { return }
            raw = nil
            _ = setMode(mode.input, mode.saved)
            // Only if it does not block: a stalled terminal must not hang the exit.
            var polled = pollfd(fd: mode.output, events: Int16(POLLOUT), revents: 0)
            if poll(&polled, 1, 0) > 0 { writeAll(ControlSequence.bracketedPasteOff, to: mode.output) }
        }
    }

    /// Stops the program as Control-Z does, in the terminal's own mode; returns in raw mode when it resumes.
    package func suspend() throws(Fault) {
        leaveRaw()
        // The calling thread may block signals, as those of Dispatch do, and then the stop would come late.
        var stop = sigset_t()
        var kept = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &stop, &kept)
        raise(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &kept, nil)
        try enterRaw()
    }

    /// What the terminal reports, else COLUMNS and LINES, else 80 by 24.
    package var size: Size {
        var window = winsize()
        if ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 {
            return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
        }
        func number(_ name: String) -> Int? { environment(name).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
        return Size(columns: number("COLUMNS") ?? 80, rows: number("LINES") ?? 24)
    }

    package func write(_ text: String) {
        writeAll(text, to: output)
    }

    /// Makes `next` return, now or at its next call. Several calls may count as one.
    package func wake() {
        wakePipe.signal()
    }

    /// Waits for the next input, on a thread of its own.
    package func next(awaitingSilence: Bool) -> Input {
        while true {
            var polled = [wakePipe.reader, resizePipe.reader, input].map { descriptor in
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            }
            let ready = poll(&polled, nfds_t(polled.count), awaitingSilence ? Self.silenceMilliseconds : -1)
            if ready < 0 && errno == EINTR { continue }
            precondition(ready >= 0, "poll refuses three descriptors of ours")
            if ready == 0 { return .silent }
            if polled[0].revents != 0, wakePipe.drain() { return .woken }
            if polled[1].revents != 0, resizePipe.drain() { return .resized }
            if polled[2].revents != 0, let read = readInput() { return read }
        }
    }

    /// Nil if there was nothing to read.
    private func readInput() -> Input? {
        var bytes = [UInt8](repeating: 0, count: Self.readBytesMax)
        let count = Glibc.read(input, &bytes, bytes.count)
        if count > 0 { return .bytes(Array(bytes[..<count])) }
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return nil }
        // Zero is end of file; EIO means that the terminal has hung up.
        return .endOfInput
    }

    private func watchSize() {
        resizeWriter.store(resizePipe.writer, ordering: .sequentiallyConsistent)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            let kept = errno
            let descriptor = resizeWriter.load(ordering: .sequentiallyConsistent)
            if descriptor >= 0 {
                var byte: UInt8 = 1
                _ = Glibc.write(descriptor, &byte, 1)
            }
            errno = kept
        }
        action.sa_flags = SA_RESTART
        sigaction(SIGWINCH, &action, nil)
    }
}

private struct RawMode {
    let input: Int32
    let output: Int32
    let saved: termios
}

/// The mode to restore while the terminal is raw.
private let rawMode = Mutex<RawMode?>(nil)
/// Where the SIGWINCH handler writes; -1 for nowhere.
private let resizeWriter = Atomic<Int32>(-1)

private func setMode(_ descriptor: Int32, _ mode: termios) -> Int32 {
    var mode = mode
    while true {
        // TCSANOW: waiting for output to drain would hang the exit if nobody reads it. Typed-ahead input is kept.
        let result = tcsetattr(descriptor, TCSANOW, &mode)
        if result == 0 || errno != EINTR { return result }
    }
}

private func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

/// Writes all of `text`, waiting for a slow terminal. Ignores a closed terminal: the reader notices it.
private func writeAll(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if written > 0 {
            rest = rest.dropFirst(written)
        } else if written < 0 && errno == EAGAIN {
            var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&polled, 1, -1)
        } else if written == 0 || errno != EINTR {
            return
        }
    }
}
