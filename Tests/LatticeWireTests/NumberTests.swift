import LatticeCore
import LatticeWire
import Testing

struct NumberTests {
    private func varint(_ bytes: [UInt8]) throws(WireError) -> UInt64 {
        var reader = ByteReader(bytes)
        let value = try reader.varint("number")
        try reader.end("number")
        return value
    }

    @Test(arguments: [
        (0, "00"), (1, "01"), (127, "7f"), (128, "8001"), (300, "ac02"), (16_383, "ff7f"), (16_384, "808001"),
        (UInt64(UInt32.max), "ffffffff0f"), (1 << 63, "80808080808080808001"), (.max, "ffffffffffffffffff01"),
    ])
    func aNumberHasOneForm(value: UInt64, hex: String) throws {
        #expect(Hex.string(Samples.written { $0.varint(value) }) == hex)
        #expect(try varint(Samples.bytes(hex)) == value)
    }

    @Test func everySevenBitStepGoesBothWays() throws {
        for shift in 0..<64 {
            for value in [1 << UInt64(shift), 1 << UInt64(shift) - 1, 1 << UInt64(shift) + 1] as [UInt64] {
                #expect(try varint(Samples.written { $0.varint(value) }) == value)
            }
        }
    }

    @Test(arguments: ["8000", "8100", "ff00", "80808000", "8080808080808080808000".dropLast(4) + "00"] as [String])
    func aLongerFormIsRefused(hex: String) throws {
        let bytes = try Samples.bytes(hex)
        #expect(wireError { () throws(WireError) in try varint(bytes) } == .notShortest(field: "number"))
    }

    @Test(arguments: ["ffffffffffffffffff02", "8080808080808080808001", "ffffffffffffffffffff"])
    func moreThan64BitsAreRefused(hex: String) throws {
        let bytes = try Samples.bytes(hex)
        #expect(wireError { () throws(WireError) in try varint(bytes) } == .outOfRange(field: "number"))
    }

    @Test(arguments: ["", "80", "ffff", "808080808080808080"])
    func anUnfinishedNumberIsRefused(hex: String) throws {
        let bytes = try Samples.bytes(hex)
        #expect(wireError { () throws(WireError) in try varint(bytes) } == .truncated(field: "number"))
    }

    @Test func fixedNumbersAreBigEndian() throws {
        let bytes = Samples.written { $0.integer(0x0102_0304, bytes: 4) }
        #expect(bytes == [1, 2, 3, 4])
        var reader = ByteReader(bytes)
        #expect(try reader.integer(bytes: 4, "number") == 0x0102_0304)
        #expect(reader.consumed == 4 && reader.remaining == 0)
    }

    @Test func aLengthBeyondTheLimitIsRefusedBeforeAnythingIsRead() {
        let bytes = Samples.written { $0.varint(.max) }
        let error = wireError { () throws(WireError) in
            var reader = ByteReader(bytes)
            return try reader.bytes("field", bytesMax: 10)
        }
        #expect(error == .tooLong(field: "field", bytes: .max, bytesMax: 10))
    }

    @Test(arguments: [9, 10, 11])
    func bytesHaveTheirLimit(count: Int) {
        let bytes = Samples.written { $0.bytes([UInt8](repeating: 1, count: count)) }
        let error = wireError { () throws(WireError) in
            var reader = ByteReader(bytes)
            return try reader.bytes("field", bytesMax: 10)
        }
        #expect(error == (count > 10 ? .tooLong(field: "field", bytes: 11, bytesMax: 10) : nil))
    }

    @Test(arguments: ["01ff", "02c080", "03eda080", "04f4908080"])
    func textIsUTF8(hex: String) throws {
        let bytes = try Samples.bytes(hex)
        let error = wireError { () throws(WireError) in
            var reader = ByteReader(bytes)
            return try reader.text("field", bytesMax: 10)
        }
        #expect(error == .notUTF8(field: "field"))
    }

    @Test func whatIsLeftOverIsCounted() {
        let reader = ByteReader([1, 2, 3])
        #expect(
            wireError { () throws(WireError) in try reader.end("field") } == .trailing(field: "field", bytes: 3)
        )
    }

    @Test func aSliceIsReadFromItsOwnStart() throws {
        var reader = ByteReader([9, 9, 1, 2, 9].dropFirst(2).dropLast())
        #expect(try reader.byte("a") == 1)
        #expect(Array(reader.rest()) == [2])
        #expect(reader.remaining == 0)
    }
}
