import Foundation
import Glibc
import LatticeCore
import LatticeStore
import LatticeWire
import Testing

/// What was acknowledged outlives `kill -9`, and nothing is ever half there.
@Suite struct KillTests {
    private static let roundsPerStore = 10

    @Test(arguments: 0..<5) func whatWasAcknowledgedOutlivesAKill(seed: UInt64) async throws {
        var dice = SeededGenerator(seed: seed)
        let folder = try Folder()
        let owner = try Author(1)
        var acknowledged: [RecordID] = []
        for round in 0..<Self.roundsPerStore {
            let victim = try Victim(path: folder.path, round: round)
            acknowledged += try victim.killed(
                after: .random(in: 0...8, using: &dice), spins: .random(in: 0...400_000, using: &dice))
            let store = try folder.store(of: owner)
            #expect(try await store.catalogue.signed(acknowledged).count == acknowledged.count)
            let check = try await store.upkeep.check(verify: verified)
            #expect(check.faults == [])
            #expect(check.records % Victim.batchRecords == 0, "a batch is half there")
            try store.close()
        }
        #expect(acknowledged.count > Self.roundsPerStore * Victim.batchRecords)
    }

    /// Runs in a process of its own until it is killed: see `Victim`.
    @Test(.enabled(if: Victim.isThisProcess)) func theOneThatIsKilled() async throws {
        try await Victim.run()
    }
}

/// A process that does nothing but write batches and say what was acknowledged: this very program, told to run one test.
private struct Victim {
    static let batchRecords = 4
    private static let pathVariable = "LATTICE_STORE_VICTIM_PATH"
    private static let roundVariable = "LATTICE_STORE_VICTIM_ROUND"
    /// So that it does not go on for ever if nobody kills it.
    private static let batchesMax = 5_000

    private let process: pid_t
    private let output: FileHandle

    static var isThisProcess: Bool { ProcessInfo.processInfo.environment[pathVariable] != nil }

    // MARK: In the process

    static func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let path = environment[pathVariable], let round = environment[roundVariable].flatMap({ Int64($0) }) else {
            return
        }
        let authors = try (1...3).map { try Author($0) }
        let store = try Store(path: path, owner: authors[0].peer)
        for number in 0..<Int64(batchesMax) {
            let post = authors[1].post(
                "round \(round) number \(number)", at: Morning.milliseconds + round * 10_000 + number)
            let batch = [
                authors[2].comment("yes", on: post.id), authors[0].like(post.id), post,
                authors[1].edit(post.id, authors[1].postBody("edited \(number)")),
            ]
            let outcomes = try await store.insert(batch, at: Morning.after(seconds: 3_600))
            guard outcomes == [.added, .added, .added, .added] else { return say("refused \(outcomes)") }
            say("kept " + batch.map(\.id.hex).joined(separator: " "))
        }
    }

    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\n\(line)\n".utf8))
    }

    // MARK: Outside

    /// By hand: `Process.run` of Foundation crashes now and then where a hundred are begun beside other work.
    init(path: String, round: Int) throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let arguments = [program, "--testing-library", "swift-testing", "--filter", "theOneThatIsKilled"]
        let environment = ProcessInfo.processInfo.environment.merging(
            [Self.pathVariable: path, Self.roundVariable: "\(round)"]
        ) { $1 }
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
    /// - Returns: everything it has acknowledged by then.
    func killed(after batches: Int, spins: Int) throws -> [RecordID] {
        var said = Data()
        while count(of: "kept ", in: said) < batches {
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
        #expect(status & 0x7f == SIGKILL, "\(String(decoding: said, as: UTF8.self))")
        // A line that was cut off was not said.
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        return lines.filter { $0.hasPrefix("kept ") }.flatMap { line in
            line.split(separator: " ").dropFirst().compactMap { Bytes32(hex: $0).map(RecordID.init) }
        }
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
