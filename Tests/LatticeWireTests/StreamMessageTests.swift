import LatticeCore
import LatticeWire
import Testing

struct StreamMessageTests {
    private static let stream: UInt64 = 0x0102_0304_0506_0708

    private static func hex(_ bytes: [UInt8]) -> String { Hex.string(bytes) }

    private func error(_ bytes: [UInt8]) -> WireError? {
        wireError { () throws(WireError) in try StreamMessage.decode(bytes) }
    }

    /// The vectors of the page of the protocol.
    @Test func messagesHaveTheBytesOfThePage() throws {
        let messages: [(StreamMessage.Kind, String)] = [
            (.begin([0xAA, 0xBB]), "01000102030405060708aabb"),
            (.part(number: 300, [0xCC]), "01010102030405060708ac02cc"),
            (.taken(299, heard: 301), "01020102030405060708ab02ad02"),
            (.ask, "01030102030405060708"),
            (.reset(.diskFull), "0104010203040506070806"),
        ]
        for (kind, text) in messages {
            let message = StreamMessage(stream: Self.stream, kind)
            #expect(Self.hex(message.bytes) == text)
            #expect(try StreamMessage.decode(message.bytes) == message)
        }
    }

    @Test func everyPrefixOfAMessageIsRefused() {
        for kind in [StreamMessage.Kind.begin([1]), .part(number: 1, [2]), .taken(1, heard: 2), .ask, .reset(.full)] {
            let bytes = StreamMessage(stream: 1, kind).bytes
            for count in bytes.indices { #expect(error(Array(bytes.prefix(count))) != nil) }
        }
    }

    @Test func whatCannotBeIsRefused() {
        #expect(error([2, 0] + [UInt8](repeating: 0, count: 9)) == .unknownVersion(2))
        #expect(error([1, 2] + [UInt8](repeating: 0, count: 8) + [2, 1]) == .outOfRange(field: "stream parts taken"))
        #expect(error([1, 3] + [UInt8](repeating: 0, count: 9)) == .trailing(field: "stream message", bytes: 1))
        let long = [UInt8](repeating: 1, count: StreamMessage.partBytesMax + 1)
        #expect(
            error(StreamMessage(stream: 1, .begin(long)).bytes)
                == .tooLong(field: "stream part", bytes: long.count, bytesMax: StreamMessage.partBytesMax))
    }

    @Test func aKindOfALaterVersionIsPassedOverAndALaterReasonIsAReason() throws {
        #expect(try StreamMessage.decode([1, 9] + [UInt8](repeating: 0, count: 8) + [1, 2]) == nil)
        let reset = try StreamMessage.decode([1, 4] + [UInt8](repeating: 0, count: 8) + [99])
        #expect(reset?.kind == .reset(.other))
    }

    @Test func theLongestPartFitsAFrameThatOthersShare() {
        let message = StreamMessage(
            stream: .max, .part(number: 1 << 40, [UInt8](repeating: 0, count: StreamMessage.partBytesMax)))
        #expect(message.bytes.count + 3 <= DataMessages.bytesFull)
        let part = StreamPart.bytes([UInt8](repeating: 0, count: StreamPart.bytesMax)[...])
        #expect(part.bytes.count + 16 == StreamMessage.partBytesMax)
    }

    @Test func whatIsSealedInAPartComesBackAsItWas() throws {
        let label = try StreamLabel("backup.2")
        for part in [StreamPart.request(label), .welcome, .bytes([1, 2, 3][...]), .end, .received] {
            #expect(try StreamPart(decoding: part.bytes) == part)
        }
        #expect(StreamPart.request(label).bytes == [0, 8] + Array("backup.2".utf8))
        for bytes: [UInt8] in [[], [0], [0, 0], [0, 1, 0x20], [2], [3, 0], [4, 0], [5], [0x80, 0]] {
            #expect(wireError { () throws(WireError) in try StreamPart(decoding: bytes) } != nil, "\(bytes)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func randomMessagesAreSurvived(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...40, using: &dice)).map { _ in UInt8.random(in: 0...15, using: &dice) }
            _ = error([1] + bytes)
            _ = wireError { () throws(WireError) in try StreamPart(decoding: bytes) }
        }
    }
}
