import LatticeCore
import Testing

@testable import LatticeDiscovery

@Suite("TXT records, RFC 6763 section 6")
struct TXTRecordTests {
    private func wire(_ strings: [String]) -> [UInt8] {
        strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }

    @Test func ourRecordHasTheseBytes() throws {
        let txt = try advertisement("alice", peer: 0x0123_4567_89AB_CDEF).txt
        #expect(txt.bytes == wire(["txtvers=1", "id=0123456789abcdef", "mesh=feedbeef", "v=1"]))
        #expect(TXTRecord(parsing: txt.bytes) == txt)
    }

    @Test func anEmptyRecordIsOneEmptyString() {
        #expect(TXTRecord([]).bytes == [0])
        #expect(TXTRecord(parsing: [0]).entries.isEmpty)
        #expect(TXTRecord(parsing: []).entries.isEmpty)
    }

    @Test func keysAreFoundInEitherCase() {
        let txt = TXTRecord(parsing: wire(["ID=ab"]))
        #expect(txt.text("id") == "ab")
        #expect(txt.text("Id") == "ab")
    }

    @Test func theFirstOfTwoEqualKeysWins() {
        let txt = TXTRecord(parsing: wire(["id=first", "ID=second", "id"]))
        #expect(txt.text("id") == "first")
        #expect(txt.entries.count == 1)
    }

    @Test func noValueAndAnEmptyValueDiffer() {
        let txt = TXTRecord(parsing: wire(["none", "empty="]))
        #expect(txt.entry("none")?.value == nil)
        #expect(txt.entry("none") != nil)
        #expect(txt.entry("empty")?.value == [])
        #expect(txt.text("none") == nil)
        #expect(txt.text("empty") == "")
    }

    @Test func aValueMayHoldMoreEqualSigns() {
        #expect(TXTRecord(parsing: wire(["k=a=b="])).text("k") == "a=b=")
    }

    @Test func stringsWithoutAKeyAreIgnored() {
        let txt = TXTRecord(parsing: wire(["=x", "", "good=1"]) + [3, 0x07, 0x3D, 0x31])
        #expect(txt.entries.map(\.key) == ["good"])
    }

    @Test func aStringThatIsCutOffEndsTheRecord() {
        #expect(TXTRecord(parsing: wire(["a=1"]) + [200, 0x62, 0x3D]).entries.map(\.key) == ["a"])
    }

    @Test func aValueThatIsNoUTF8HasNoText() {
        let txt = TXTRecord(parsing: [4, 0x6B, 0x3D, 0xFF, 0xFE])
        #expect(txt.entry("k")?.value == [0xFF, 0xFE])
        #expect(txt.text("k") == nil)
    }

    @Test func strangersCannotMakeItLarge() {
        let many = TXTRecord(parsing: wire((0..<500).map { "k\($0)=" }))
        #expect(many.entries.count == TXTRecord.entryCountMax)
        let long = TXTRecord(parsing: wire((0..<30).map { "k\($0)=" + String(repeating: "x", count: 240) }))
        #expect(long.bytes.count <= TXTRecord.bytesMax)
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func anyBytesAreRead(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let letters: [UInt8] = Array("idmesh=v\0".utf8) + [0xFF, 1, 2, 3, 4, 5]
        let bytes = (0..<Int.random(in: 0...1_500, using: &generator)).map { _ in
            letters.randomElement(using: &generator) ?? 0
        }
        let txt = TXTRecord(parsing: bytes)
        #expect(txt.entries.count <= TXTRecord.entryCountMax)
        #expect(Set(txt.entries.map { $0.key.lowercased() }).count == txt.entries.count)
        #expect(TXTRecord(parsing: txt.bytes) == txt)
    }
}
