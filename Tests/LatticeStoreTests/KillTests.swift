import Foundation
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
            let victim = try VictimProcess(
                running: "theOneThatIsKilled", Victim.environment(path: folder.path, round: round))
            acknowledged += try victim.killed(
                after: .random(in: 0...8, using: &dice), spins: .random(in: 0...400_000, using: &dice)
            ).flatMap { line in line.split(separator: " ").compactMap { Bytes32(hex: $0).map(RecordID.init) } }
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

/// Writes batches and says what was acknowledged.
private enum Victim {
    static let batchRecords = 4
    private static let pathVariable = "LATTICE_STORE_VICTIM_PATH"
    private static let roundVariable = "LATTICE_STORE_VICTIM_ROUND"
    /// So that it does not go on for ever if nobody kills it.
    private static let batchesMax = 5_000

    static func environment(path: String, round: Int) -> [String: String] {
        [pathVariable: path, roundVariable: "\(round)"]
    }

    static var isThisProcess: Bool { ProcessInfo.processInfo.environment[pathVariable] != nil }

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
            guard outcomes == [.added, .added, .added, .added] else { return VictimProcess.say("refused \(outcomes)") }
            VictimProcess.acknowledge(batch.map(\.id.hex).joined(separator: " "))
        }
    }
}
