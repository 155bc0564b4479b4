import Glibc
import LatticeSettings
import Synchronization

/// Turns off the echo of a terminal until a line is read or a signal comes, and always restores it.
// Safety: pointers are only made by `&` for the length of one call. The handler touches an atomic, `write` and `errno`.
enum SilentTerminal {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    /// - Parameter body: gets a descriptor on which signal numbers arrive, one byte each.
    static func whileSilent<Answer>(
        _ terminal: Int32, _ body: (Int32) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Failure(.failed, "cannot make a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        defer { for end in ends { close(end) } }
        var saved = termios()
        guard tcgetattr(terminal, &saved) == 0 else { throw Failure(.failed, "there is no terminal to ask on") }
        signalWriter.store(ends[1], ordering: .sequentiallyConsistent)
        let before = numbers.map(watch)
        var silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO)
        _ = tcsetattr(terminal, TCSAFLUSH, &silent)
        defer {
            _ = tcsetattr(terminal, TCSANOW, &saved)
            for (number, action) in zip(numbers, before) {
                var action = action
                sigaction(number, &action, nil)
            }
            signalWriter.store(-1, ordering: .sequentiallyConsistent)
        }
        return try body(ends[0])
    }

    private static func watch(_ number: Int32) -> sigaction {
        var (action, before) = (sigaction(), sigaction())
        action.__sigaction_handler.sa_handler = { number in
            let kept = errno
            let descriptor = signalWriter.load(ordering: .sequentiallyConsistent)
            if descriptor >= 0 {
                var octet = UInt8(truncatingIfNeeded: number)
                _ = Glibc.write(descriptor, &octet, 1)
            }
            errno = kept
        }
        sigaction(number, &action, &before)
        return before
    }
}

/// Where the handler writes; -1 for nowhere.
private let signalWriter = Atomic<Int32>(-1)
