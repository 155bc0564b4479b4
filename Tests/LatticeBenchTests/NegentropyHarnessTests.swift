import LatticeCore
import LatticeMesh
import Testing

@testable import lattice_bench

@Suite struct NegentropyHarnessTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func twoHarnessesLearnWhatTheOtherLacks(seed: UInt64) throws {
        let trial = NegentropyTrial(seed: seed, itemsMax: 2_000)
        let peers = try (0..<2).map { side in
            HarnessHere(
                try HarnessSession(
                    frameSizeLimit: "\(trial.limits[side])", manner: trial.thrifty[side] ? .thrifty : .reference))
        }
        let outcome = try trial.run(peers[0], peers[1])
        #expect(outcome.messages >= 2 && outcome.bytes > 0)
    }

    @Test func aLieIsFound() throws {
        let trial = NegentropyTrial(seed: 3, itemsMax: 2_000)
        let honest = HarnessHere(try HarnessSession(frameSizeLimit: nil, manner: .reference))
        let liar = HarnessHere(try HarnessSession(frameSizeLimit: nil, manner: .reference))
        liar.isDeaf = true
        #expect(throws: BenchError.self) { try trial.run(honest, liar) }
    }

    @Test func linesAreThoseOfTheReference() throws {
        let id = String(repeating: "ab", count: 32)
        var asker = try HarnessSession(frameSizeLimit: "0", manner: .reference)
        #expect(try asker.answer("seal").isEmpty)
        #expect(try asker.answer("initiate") == ["msg,6100000200"])
        var other = try HarnessSession(frameSizeLimit: nil, manner: .reference)
        #expect(try other.answer("item,7,\(id)").isEmpty && other.answer("seal").isEmpty && other.answer("").isEmpty)
        #expect(try other.answer("msg,6100000200") == ["msg,6100000201\(id)"])
        // Told once, however often it comes.
        #expect(try asker.answer("msg,6100000201\(id)") == ["need,\(id)", "done"])
        #expect(try asker.answer("msg,6100000201\(id)") == ["done"])
        #expect(try other.answer("msg,62") == ["msg,61"])
    }

    @Test(arguments: ["item,7", "item,x,00", "item,18446744073709551615,00", "msg", "msg,6", "hello", "seal,1"])
    func whatIsNoLineIsRefused(line: String) throws {
        var session = try HarnessSession(frameSizeLimit: nil, manner: .reference)
        #expect(throws: BenchError.self) { try session.answer(line) }
    }

    @Test(arguments: ["4095", "-1", "much"]) func aFrameIsLargeEnough(limit: String) {
        #expect(throws: BenchError.self) { try HarnessSession(frameSizeLimit: limit, manner: .reference) }
    }
}

/// A harness in this process.
private final class HarnessHere: HarnessPeer {
    private var session: HarnessSession
    private var answers: [String] = []
    /// It takes no items.
    var isDeaf = false

    init(_ session: HarnessSession) {
        self.session = session
    }

    func send(_ line: String) throws {
        if isDeaf, line.hasPrefix("item") { return }
        answers += try session.answer(line)
    }

    func receive() throws -> String {
        guard !answers.isEmpty else { throw BenchError("nothing is left to be said") }
        return answers.removeFirst()
    }
}
