import LatticeCore
import Testing

@testable import LatticeWire

@Suite struct CrossingTests {
    static let hex = "0102" + "0523" + "63616d70" + "0523" + "7061726b"

    private static func rooms(_ names: String...) throws -> [RoomName] { try names.map { try RoomName($0) } }

    @Test func aCrossingIsTheBytesItAlwaysWas() throws {
        let some = CrossingBody(rooms: try Self.rooms("#park", "#camp", "#Park"))
        #expect(Hex.string(some.body) == Self.hex)
        #expect(try CrossingBody(decoding: some.body) == some)
        #expect(try some.rooms == Self.rooms("#camp", "#park"))
        for (rooms, hex) in [(nil, "0000"), ([], "0100")] as [([RoomName]?, String)] {
            let body = CrossingBody(rooms: rooms)
            #expect(Hex.string(body.body) == hex)
            #expect(try CrossingBody(decoding: body.body) == body && body.rooms == rooms)
        }
        #expect(RecordKind.crossing.rawValue == 20 && RecordKind.crossing.isReplaceable)
        #expect(SyncScope.Group(of: .crossing) == .people)
    }

    /// Empty; a state that is none; rooms with state 0; too few and too many; a name that is none, or is in capitals; twice; in
    /// another order; a length that is not in its shortest form.
    @Test(arguments: [
        "", "00", "01", "0200", "ff00", "0001022361", "0101", "010102236100", "000000", "010000", "01010161",
        "01010123", "0101022341", "01010300236100", "010102ff61", "0102022361022361", "0102022362022361",
        "010103232061", "01800100", "0101820023" + "61",
    ]) func malformedCrossingsAreRefused(hex: String) throws {
        #expect(throws: WireError.self, "\(hex)") { try CrossingBody(decoding: try Samples.bytes(hex)) }
    }

    @Test func aCrossingListsAtMost64Rooms() throws {
        let rooms = try (100..<164).map { try RoomName("#\($0)" + String(repeating: "x", count: 60)) }
        let full = CrossingBody(rooms: rooms)
        #expect(try CrossingBody(decoding: full.body) == full)
        let record = Record(
            kind: .crossing, author: try Samples.author(), created: HybridTime(rawValue: .max),
            lifetimeSeconds: 31_536_000, topic: [], body: full.body)
        #expect(record.unsignedBytes.count + Record.signatureBytes < Record.bytesMax)
        var writer = ByteWriter()
        writer.byte(1)
        writer.varint(65)
        for number in 100..<165 { writer.text("#\(number)") }
        #expect(throws: WireError.outOfRange(field: "crossing rooms")) { try CrossingBody(decoding: writer.bytes) }
    }
}
