import LatticeMesh
import Testing

@testable import lattice_bench

@Suite struct NegentropyHarnessTests {
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
