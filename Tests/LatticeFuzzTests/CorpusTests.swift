import Foundation
import LatticeFuzz
import Testing

@Suite struct CorpusTests {
    private static let inputsMax = 100
    private static let bytesMax = 200_000

    @Test(arguments: FuzzTarget.all.map(\.name)) func everyKeptInputHolds(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let inputs = try Corpus.inputs(of: name)
        #expect(!inputs.isEmpty, "no input is kept for '\(name)'")
        for input in inputs {
            do {
                try target.check(input.bytes)
            } catch {
                Issue.record("\(name), \(input.place): \(error)")
            }
        }
    }

    @Test func everyFileIsOfATargetAndEveryTargetHasOne() throws {
        #expect(try Corpus.names() == FuzzTarget.all.map(\.name).sorted())
        #expect(Set(try Corpus.dictionaries()).isSubset(of: FuzzTarget.all.map(\.name)))
    }

    @Test(arguments: FuzzTarget.all.map(\.name)) func whatIsKeptIsSmall(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let inputs = try Corpus.inputs(of: name)
        // Inputs that once broke a target do not count.
        let learned = inputs.filter { !$0.isCrash }
        #expect(learned.count <= Self.inputsMax)
        #expect(learned.reduce(0) { $0 + $1.bytes.count } <= Self.bytesMax)
        #expect(inputs.allSatisfy { $0.bytes.count <= target.inputBytesMax })
    }

    /// The same inputs give the same file.
    @Test(arguments: FuzzTarget.all.map(\.name)) func linesAreSortedAndEachInputIsThereOnce(name: String) throws {
        let lines = try Corpus.lines(of: name)
        #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        let inputs = try Corpus.inputs(of: name)
        #expect(Set(inputs.map(\.bytes)).count == inputs.count)
        for (line, input) in zip(lines, inputs) {
            #expect(line == "\(input.label) \(Data(input.bytes).base64EncodedString())")
        }
    }

    /// Every target answers to nothing, and to bytes that mean nothing.
    @Test(arguments: FuzzTarget.all.map(\.name)) func whatMeansNothingHoldsToo(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        for byte in [0, 1, 0x61, 0x7F, 0x80, 0xFF] as [UInt8] {
            for count in [0, 1, 2, 33, 300] { try target.check([UInt8](repeating: byte, count: count)) }
        }
    }
}
