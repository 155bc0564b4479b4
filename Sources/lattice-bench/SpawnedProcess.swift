import Foundation

/// A process started directly by posix_spawn(3), so that none of our code runs between its start and the clock.
// Safety: arguments, attributes and buffers are lent to C for the length of each call, with their true sizes, and freed
// by their creator.
final class SpawnedProcess {
    enum Face {
        /// Input is a pipe that stays open; output is another pipe.
        case pipe
        /// A terminal of 80 by 24.
        case terminal
    }

    private let words: [String]
    private let face: Face
    private let environment: [String: String]
    private var output: Int32 = -1
    private var input: Int32 = -1
    private var said: [UInt8] = []
    private(set) var identifier: pid_t = 0
    private(set) var startedAt = 0.0

    /// - Parameters:
    ///   - words: the program and its arguments.
    ///   - environment: replaces variables; an empty value removes one.
    init(words: [String], face: Face, environment: [String: String] = [:]) {
        self.words = words
        self.face = face
        self.environment = environment
    }

    func start() throws {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var theirs: [Int32] = []
        switch face {
        case .pipe:
            let (down, up) = (try Self.pipe(), try Self.pipe())
            (input, output) = (down.write, up.read)
            theirs = [down.read, up.write]
            posix_spawn_file_actions_adddup2(&actions, down.read, 0)
            posix_spawn_file_actions_adddup2(&actions, up.write, 1)
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        case .terminal:
            let (ours, name) = try Self.terminal()
            (input, output) = (ours, ours)
            // The first terminal that a session leader opens becomes the session's terminal.
            posix_spawnattr_setflags(&attributes, Self.newSession)
            posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        var variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.filter { !$0.value.isEmpty }
        variables["TERM"] = "xterm"
        let arguments = words.map { strdup($0) } + [nil]
        let settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + settings { free(text) } }
        startedAt = seconds()
        let failure = posix_spawnp(&identifier, words[0], &actions, &attributes, arguments, settings)
        for end in theirs { close(end) }
        guard failure == 0 else { throw BenchError("\(words[0]): \(String(cString: strerror(failure)))") }
    }

    /// - Returns: seconds from its start until this text in its output.
    @discardableResult
    func wait(for text: String) throws -> Double {
        let wanted = Data(text.utf8)
        while Data(said).range(of: wanted) == nil {
            guard readSome() else { throw BenchError("\(words.joined(separator: " ")) ended without \(text)") }
        }
        return seconds() - startedAt
    }

    /// - Returns: seconds from its start to its end, and its processor time.
    func waitForEnd() throws -> (wallTime: Double, processor: Double) {
        while readSome() {}
        let wallTime = seconds() - startedAt
        let (status, processor) = reap()
        guard status == 0 else { throw BenchError("\(words.joined(separator: " ")) failed") }
        return (wallTime, processor)
    }

    func end() {
        kill(identifier, SIGTERM)
        while readSome() {}
        _ = reap()
    }

    private func reap() -> (status: Int32, processor: Double) {
        var status: Int32 = 0
        var usage = rusage()
        wait4(identifier, &status, 0, &usage)
        for descriptor in Set([input, output]) { close(descriptor) }
        return (status, usage.processorSeconds)
    }

    private func readSome() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        // Reading a terminal without a user fails.
        let count = read(output, &chunk, chunk.count)
        guard count > 0 else { return false }
        said += chunk[..<count]
        return true
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Foundation.pipe(&ends) == 0 else { throw BenchError("no more pipes") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    // POSIX_SPAWN_SETSID of spawn.h, which Foundation does not import.
    private static let newSession: Int16 = 0x80

    // TIOCGPTN and TIOCSPTLCK of ioctl_tty(2), which Foundation does not import; nor does it import posix_openpt.
    private static let number: UInt = 0x8004_5430
    private static let unlock: UInt = 0x4004_5431

    private static func terminal() throws -> (Int32, name: String) {
        let ours = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, isLocked): (Int32, Int32) = (0, 0)
        guard ours >= 0, ioctl(ours, unlock, &isLocked) == 0, ioctl(ours, Self.number, &number) == 0 else {
            throw BenchError("no terminal to be had")
        }
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(ours, UInt(TIOCSWINSZ), &size)
        return (ours, "/dev/pts/\(number)")
    }
}
