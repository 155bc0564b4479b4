import LatticeCore
import Testing

@testable import LatticeWire

@Suite struct MeshCardTests {
    private static let gate = RecordID(Bytes32(words: (5, 6, 7, 8)))
    private static let tap = RecordID(Bytes32(words: (9, 6, 7, 8)))

    private static func camp() throws -> MeshCardBody {
        var parts = MeshCardBody.Parts()
        parts.about = "By the lake"
        parts.area = MeshCardBody.Area(try PostSamples.gate(), metres: 500)
        parts.textLength = 280
        parts.radiusChoices = [100, 2_000]
        parts.pins = [gate, tap]
        parts.welcome = "Hello!"
        parts.rules = "Quiet at ten"
        return MeshCardBody(author: try PeerName("bob"), name: "Camp", parts)
    }

    static let hex =
        "03626f62" + "0443616d70" + "010b" + "427920746865206c616b65" + "020b" + PostSamples.gateHex + "f403"
        + "0302" + "9802" + "0403" + "64d00f" + "0540" + gate.hex + tap.hex
        + "0606" + "48656c6c6f21" + "070c" + "51756965742061742074656e"

    private static let bare = "03626f62" + "0443616d70"

    @Test func aCardIsTheBytesItAlwaysWas() throws {
        let camp = try Self.camp()
        #expect(Hex.string(camp.body) == Self.hex)
        #expect(try MeshCardBody(decoding: camp.body) == camp)
        let bare = MeshCardBody(author: try PeerName("bob"), name: "Camp")
        #expect(Hex.string(bare.body) == Self.bare)
        #expect(try MeshCardBody(decoding: bare.body) == bare)
        #expect(RecordKind.card.rawValue == 19 && RecordKind.card.isReplaceable)
        #expect(SyncScope.Group(of: .card) == .people)
    }

    @Test func fieldsOfLaterVersionsStay() throws {
        let body = try Self.camp().body + [40, 1, 9]
        #expect(try MeshCardBody(decoding: body).body == body)
        #expect(try MeshCardBody(decoding: body).parts == Self.camp().parts)
    }

    /// Each part alone, after author and name.
    @Test(arguments: [
        "0100", "0103ff4142", "0200", "020b1f4d58fa07f94691" + "06f403", "020a1f4d58fa07f94691" + "0009",
        "020c1f4d58fa07f94691" + "00f40300", "020c1f4d58fa07f94691" + "00c1843d", "0300", "030100", "0302e907",
        "03020a0a", "0400", "040100", "04026464", "04036432" + "33", "0403a18d06", "0500", "051f" + filled(31),
        "0540" + filled(64), "0600", "0700", "010141" + "010142", "020a", "0141",
    ]) func malformedCardsAreRefused(tail: String) throws {
        #expect(throws: WireError.self, "\(tail)") { try MeshCardBody(decoding: try Samples.bytes(Self.bare + tail)) }
    }

    private static func filled(_ count: Int) -> String { String(repeating: "07", count: count) }

    @Test func whatIsTooLongIsRefused() throws {
        func field(_ number: UInt64, _ value: [UInt8]) throws -> [UInt8] {
            var writer = ByteWriter()
            writer.fixed(try Samples.bytes(Self.bare))
            writer.varint(number)
            writer.bytes(value)
            return writer.bytes
        }
        for (number, max) in [(1, 1_024), (6, 512), (7, 4_096)] as [(UInt64, Int)] {
            let text = [UInt8](repeating: 0x41, count: max)
            #expect(throws: Never.self) { try MeshCardBody(decoding: try field(number, text)) }
            #expect(throws: WireError.self) { try MeshCardBody(decoding: try field(number, text + [0x41])) }
        }
        let choices = (1...9).map { UInt8($0) }
        #expect(try MeshCardBody(decoding: try field(4, Array(choices.prefix(8)))).parts.radiusChoices == Array(1...8))
        #expect(throws: WireError.outOfRange(field: "card radius")) {
            try MeshCardBody(decoding: try field(4, choices))
        }
        let places = (1...17).map { RecordID(Bytes32(words: (UInt64($0), 0, 0, 0))) }
        #expect(
            try MeshCardBody(decoding: try field(5, places.prefix(16).flatMap(\.hash.bytes))).parts.pins
                == Array(places.prefix(16)))
        #expect(throws: WireError.outOfRange(field: "card places")) {
            try MeshCardBody(decoding: try field(5, places.flatMap(\.hash.bytes)))
        }
        let name = String(repeating: "n", count: 65)
        #expect(throws: WireError.tooLong(field: "card name", bytes: 65, bytesMax: 64)) {
            try MeshCardBody(decoding: [3, 0x62, 0x6F, 0x62, 65] + Array(name.utf8))
        }
        #expect(throws: WireError.self) { try MeshCardBody(decoding: try Samples.bytes("03626f62" + "00")) }
    }

    @Test func theLargestCardFitsARecord() throws {
        var parts = MeshCardBody.Parts()
        parts.about = String(repeating: "a", count: 1_024)
        parts.area = MeshCardBody.Area(try PostSamples.gate(), metres: 1_000_000)
        parts.textLength = 1_000
        parts.radiusChoices = (0..<8).map { 99_993 + $0 }
        parts.pins = (1...16).map { RecordID(Bytes32(words: (UInt64($0), 0, 0, 0))) }
        parts.welcome = String(repeating: "w", count: 512)
        parts.rules = String(repeating: "r", count: 4_096)
        let card = MeshCardBody(
            author: try PeerName(String(repeating: "n", count: 63)), name: String(repeating: "m", count: 64), parts)
        #expect(try MeshCardBody(decoding: card.body) == card)
        let record = Record(
            kind: .card, author: try Samples.author(), created: HybridTime(rawValue: .max),
            lifetimeSeconds: 31_536_000, topic: [], body: card.body)
        #expect(record.unsignedBytes.count + Record.signatureBytes < Record.bytesMax)
    }
}
