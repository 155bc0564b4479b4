import Foundation
import Glibc
import LatticeCore
import Testing

/// A process that does nothing but write and say what was acknowledged: this very program, told to run one test.
struct VictimProcess {
    private let process: pid_t
    private let output: FileHandle

    // MARK: In the process

    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\n\(line)\n".utf8))
    }

    /// Says what was written.
    static func acknowledge(_ what: String) { say(mark + what) }

    private static let mark = "kept "

    // MARK: Outside

    /// By hand: `Process.run` of Foundation crashes now and then where a hundred are begun beside other work.
    ///
    /// - Parameter test: the name of the test that is run.
    init(running test: String, _ variables: [String: String]) throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let arguments = [program, "--testing-library", "swift-testing", "--filter", test]
        let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let words = arguments.map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var started = pid_t()
        let error = posix_spawn(&started, program, &actions, nil, words, settings)
        Glibc.close(ends[1])
        output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        process = started
        try #require(error == 0)
    }

    /// Kills it some time after it has acknowledged this number of batches.
    ///
    /// - Parameter mayEnd: whether it may end before by itself.
    /// - Returns: everything it has acknowledged by then.
    func killed(after batches: Int, spins: Int, mayEnd: Bool = false) throws -> [Substring] {
        var said = Data()
        while count(of: Self.mark, in: said) < batches {
            let more = output.availableData
            // It ended by itself: what it said shows why.
            if more.isEmpty { break }
            said += more
        }
        spin(spins)
        kill(process, SIGKILL)
        said += try output.readToEnd() ?? Data()
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        #expect(status & 0x7f == SIGKILL || mayEnd && status == 0, "\(String(decoding: said, as: UTF8.self))")
        // A line that was cut off was not said.
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        return lines.filter { $0.hasPrefix(Self.mark) }.map { $0.dropFirst(Self.mark.count) }
    }

    /// Lets some of the victim's work go by, so that it is killed at all moments of a write; 0 to a few milliseconds.
    @inline(never) private func spin(_ count: Int) {
        var dice = SeededGenerator(seed: UInt64(count))
        for _ in 0..<count where dice.next() == 0 { return }
    }

    private func count(of mark: String, in said: Data) -> Int {
        String(decoding: said, as: UTF8.self).split(separator: "\n").count { $0.hasPrefix(mark) }
    }
}
