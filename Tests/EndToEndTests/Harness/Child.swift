import Foundation
import Glibc
import Synchronization

/// One process that a test started: never one that it did not.
// Safety: pointers are lent to posix_spawn and waitpid for the length of the call; the copies that strdup made are freed
// after it. The function looked up by its name has the type that spawn.h gives it.
final class Child: Sendable {
    /// What becomes of its standard streams.
    enum Streams {
        /// Descriptors of ours that it gets as 0, 1 and 2.
        case descriptors(input: Int32, output: Int32, error: Int32)
        /// The path of a pseudo-terminal, which becomes the controlling one of a new session.
        case terminal(String)
    }

    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    // POSIX_SPAWN_SETSID of spawn.h, which Glibc does not import.
    private static let newSession: Int32 = 0x80

    let pid: pid_t
    private let ending = Mutex<Int32?>(nil)

    init(_ command: [String], environment: [String: String], streams: Streams) throws {
        // write(2) reports a child that has exited.
        _ = Self.ignoringBrokenPipes
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        switch streams {
        case .descriptors(let input, let output, let error):
            for (number, descriptor) in [input, output, error].enumerated() {
                posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            }
        case .terminal(let path):
            flags |= Self.newSession
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            for number: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, 0, number) }
        }
        try Self.closeOthers(&actions)
        // The threads of a test runner hold signals back or ignore them; a program starts with none of that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var pid: pid_t = 0
        let fault = posix_spawnp(&pid, command[0], &actions, &attributes, arguments, variables)
        guard fault == 0 else {
            throw Fault(description: "\(command[0]) was not started: \(String(cString: strerror(fault)))")
        }
        self.pid = pid
    }

    /// How it ended: its exit code, or 128 and the number of the signal; `nil` while it runs.
    var exitCode: Int32? { reap(WNOHANG) }

    func send(_ signal: Int32) {
        ending.withLock { ending in
            if ending == nil { kill(pid, signal) }
        }
    }

    /// Ends it at once and waits until it is gone.
    func end() {
        send(SIGKILL)
        _ = waitUntilExit()
    }

    @discardableResult
    func waitUntilExit() -> Int32 { reap(0) ?? -1 }

    private func reap(_ options: Int32) -> Int32? {
        ending.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            guard waitpid(pid, &status, options) == pid else { return nil }
            let signal = status & 0x7F
            ending = signal == 0 ? status >> 8 & 0xFF : 128 + signal
            return ending
        }
    }

    /// Sockets of other tests in this process stay open for as long as a child holds them too, and SwiftNIO does not have
    /// them closed for children. Glibc does not import the function that does.
    private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) throws {
        typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
            throw Fault(description: "these tests need glibc 2.34 or later")
        }
        _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, 3)
    }

    private static let ignoringBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()
}

/// Both ends of a pipe, closed in every child that does not get one of them on purpose.
struct Pipe {
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        let isMade = pipe(&ends) == 0 && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
        guard isMade else { throw Child.Fault(description: "no pipe: errno \(errno)") }
        (reader, writer) = (ends[0], ends[1])
    }

    /// - Returns: what reads a text, and then the end; it is the caller's to close.
    static func reader(of text: String) throws -> Int32 {
        let (pipe, typed) = (try Pipe(), Array(text.utf8))
        defer { close(pipe.writer) }
        guard write(pipe.writer, typed, typed.count) == typed.count else {
            throw Child.Fault(description: "a pipe takes no \(typed.count) bytes: errno \(errno)")
        }
        return pipe.reader
    }
}
