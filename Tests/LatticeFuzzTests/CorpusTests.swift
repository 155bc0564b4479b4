import LatticeFuzz
import Testing

@Suite struct CorpusTests {
    private static let filesMax = 100
    private static let bytesMax = 200_000

    @Test(arguments: FuzzTarget.all.map(\.name)) func everyKeptFileHolds(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let files = try Corpus.files(of: name)
        #expect(!files.isEmpty, "no file is kept for '\(name)'")
        for file in files {
            do {
                try target.check(file.bytes)
            } catch {
                Issue.record("\(name)/\(file.name): \(error)")
            }
        }
    }

    @Test func everyFolderIsOfATargetAndEveryTargetHasOne() throws {
        #expect(try Corpus.names() == FuzzTarget.all.map(\.name).sorted())
        #expect(Set(try Corpus.dictionaries()).isSubset(of: FuzzTarget.all.map(\.name)))
    }

    @Test(arguments: FuzzTarget.all.map(\.name)) func whatIsKeptIsSmall(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let files = try Corpus.files(of: name)
        // What once broke a target is kept beside them.
        let learned = files.filter { !$0.name.hasPrefix("crash-") }
        #expect(learned.count <= Self.filesMax)
        #expect(learned.reduce(0) { $0 + $1.bytes.count } <= Self.bytesMax)
        #expect(files.allSatisfy { $0.bytes.count <= target.inputBytesMax })
    }

    /// Every target answers to nothing, and to bytes that mean nothing.
    @Test(arguments: FuzzTarget.all.map(\.name)) func whatMeansNothingHoldsToo(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        for byte in [0, 1, 0x61, 0x7F, 0x80, 0xFF] as [UInt8] {
            for count in [0, 1, 2, 33, 300] { try target.check([UInt8](repeating: byte, count: count)) }
        }
    }
}
