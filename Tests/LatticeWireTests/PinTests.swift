import LatticeCore
import Testing

@testable import LatticeWire

@Suite struct PinTests {
    private static let line = RecordID(Bytes32(words: (1, 2, 3, 4)))

    private static func pin(_ pinned: PinBody.Pinned) throws -> PinBody { PinBody(name: try PeerName("bob"), pinned) }

    @Test func aPinIsALineOrATextOrNothing() throws {
        let forms: [(PinBody.Pinned, [UInt8])] = [
            (.nothing, [0]), (.line(Self.line), [1] + Self.line.hash.bytes),
            (.text("at nine"), Array("\u{2}\u{7}at nine".utf8)),
        ]
        for (pinned, bytes) in forms {
            let pin = try Self.pin(pinned)
            #expect(pin.body == Array("\u{3}bob".utf8) + bytes)
            #expect(try PinBody(decoding: pin.body) == pin)
        }
        let long = try Self.pin(.text(String(repeating: "a", count: 300)))
        #expect(try PinBody(decoding: long.body) == long)
    }

    @Test func fieldsOfLaterVersionsStay() throws {
        let body = try Self.pin(.text("x")).body + [7, 1, 9]
        #expect(try PinBody(decoding: body).body == body)
    }

    @Test func malformedPinsAreRefused() {
        let bob = Array("\u{3}bob".utf8)
        #expect(throws: WireError.outOfRange(field: "pin")) { try PinBody(decoding: bob + [3]) }
        #expect(throws: WireError.outOfRange(field: "pinned text")) { try PinBody(decoding: bob + [2, 0]) }
        #expect(throws: WireError.notUTF8(field: "pinned text")) { try PinBody(decoding: bob + [2, 1, 0xC0]) }
        #expect(throws: WireError.tooLong(field: "pinned text", bytes: 301, bytesMax: 300)) {
            try PinBody(decoding: bob + [2, 0xAD, 0x02] + [UInt8](repeating: 0x61, count: 301))
        }
        #expect(throws: WireError.self) { try PinBody(decoding: bob + [1] + Self.line.hash.bytes.dropLast()) }
        #expect(throws: WireError.self) { try PinBody(decoding: bob) }
    }

    @Test func onlyTheNewestPinOfAnAuthorCounts() {
        #expect(RecordKind.pin.rawValue == 18 && RecordKind.pin.isReplaceable)
        #expect(SyncScope.Group(of: .pin) == .people)
    }
}
