import LatticeCore
import Testing

struct BytesTests {
    private let counting = Array(0..<32 as Range<UInt8>)

    @Test func thirtyTwoBytesComeBackAsTheyWere() throws {
        let value = try #require(Bytes32(counting))
        #expect(value.bytes == counting)
        var appended: [UInt8] = [9]
        value.append(to: &appended)
        #expect(appended == [9] + counting)
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func anyOtherCountIsRefused(count: Int) {
        #expect(Bytes32([UInt8](repeating: 0, count: count)) == nil)
        #expect(Bytes32(hex: String(repeating: "00", count: count)) == nil)
    }

    @Test func aSliceIsAsGoodAsAnArray() {
        #expect(Bytes32(([1, 2] + counting)[2...]) == Bytes32(counting))
    }

    @Test func orderIsThatOfTheBytes() throws {
        var dice = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let pair = (0..<2).map { _ in (0..<32).map { _ in UInt8.random(in: 0...1, using: &dice) } }
            let (left, right) = (try #require(Bytes32(pair[0])), try #require(Bytes32(pair[1])))
            #expect((left < right) == pair[0].lexicographicallyPrecedes(pair[1]))
            #expect((left == right) == (pair[0] == pair[1]))
        }
    }

    @Test func theLeadingWordIsBigEndian() {
        #expect(Bytes32(counting)?.leadingWord == 0x0001_0203_0405_0607)
        #expect(Bytes32.zero.bytes == [UInt8](repeating: 0, count: 32))
    }

    @Test func hexGoesBothWays() {
        let all = Array(0...255 as ClosedRange<UInt8>)
        let text = Hex.string(all)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hex.bytes(text) == all)
        #expect(Hex.bytes(text.uppercased()) == all)
        #expect(Bytes32(counting)?.hex == Hex.string(counting))
        #expect(Bytes32(hex: Hex.string(counting))?.bytes == counting)
    }

    @Test(arguments: ["0", "abc", "0g", "g0", " 00", "00 ", "0x00", "é", "٠٠", "+1"])
    func whatIsNotHexIsRefused(text: String) {
        #expect(Hex.bytes(text) == nil)
    }

    @Test func noDigitsAreNoBytes() {
        #expect(Hex.bytes("") == [])
        #expect(Hex.string([]) == "")
    }
}
