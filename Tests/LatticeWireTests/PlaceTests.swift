import LatticeCore
import Testing

@testable import LatticeWire

@Suite struct PlaceTests {
    private static let cook = PeerID(Bytes32(words: (1, 2, 3, 4)))

    private static func kitchen(editors: [PeerID] = []) throws -> PlaceBody {
        PlaceBody(
            author: try PeerName("bob"), name: "Kitchen", at: try PostSamples.gate(), category: "kitchen",
            hours: "8 to 20", text: "Bring a cup", editors: editors)
    }

    private static let hex =
        "03626f62" + "074b69746368656e" + PostSamples.gateHex + "076b69746368656e" + "073820746f203230"
        + "0b4272696e67206120637570"

    @Test func aPlaceIsTheBytesItAlwaysWas() throws {
        let kitchen = try Self.kitchen()
        #expect(Hex.string(kitchen.body) == Self.hex)
        #expect(try PlaceBody(decoding: kitchen.body) == kitchen)
        let shared = try Self.kitchen(editors: [Self.cook])
        #expect(Hex.string(shared.body) == Self.hex + "0820" + Self.cook.hex)
        #expect(try PlaceBody(decoding: shared.body).editors == [Self.cook])
        #expect(RecordKind.place.rawValue == 17 && !RecordKind.place.isReplaceable)
        #expect(SyncScope.Group(of: .place) == .posts)
    }

    @Test func fieldsOfLaterVersionsStay() throws {
        let body = try Self.kitchen().body + [40, 1, 9]
        #expect(try PlaceBody(decoding: body).body == body)
    }

    @Test func malformedPlacesAreRefused() throws {
        let body = try Self.kitchen().body
        #expect(throws: WireError.outOfRange(field: "place name")) {
            try PlaceBody(decoding: try Samples.bytes("03626f62" + "00" + PostSamples.gateHex + "000000"))
        }
        // A place that is blurred is no place to walk to.
        #expect(throws: WireError.outOfRange(field: "place")) {
            try PlaceBody(decoding: try Samples.bytes("03626f62" + "0141" + "1f4d84be07f8fe5106" + "000000"))
        }
        #expect(throws: WireError.outOfRange(field: "place editors")) { try PlaceBody(decoding: body + [8, 0]) }
        let many = [UInt8](repeating: 7, count: 17 * 32)
        #expect(throws: WireError.outOfRange(field: "place editors")) {
            try PlaceBody(decoding: body + [8, 0xA0, 0x04] + many)
        }
        #expect(throws: WireError.self) { try PlaceBody(decoding: body + [8, 31] + many.prefix(31)) }
        for end in body.indices { #expect(throws: WireError.self) { try PlaceBody(decoding: Array(body[..<end])) } }
    }

    @Test func aPostMaySayFromWhereItCanBeRead() throws {
        func post(_ metres: Int?) throws -> PostBody {
            PostBody(
                name: try PeerName("bob"), place: Place(try PostSamples.gate()), text: "Soup", placeName: "",
                unlockMetres: metres)
        }
        for metres in [5, 50, 100_000] { #expect(try PostBody(decoding: try post(metres).body).unlockMetres == metres) }
        let bare = try post(nil).body
        #expect(try post(50).body == bare + [6, 1, 50])
        for field in [[6, 1, 4], [6, 3, 0xA1, 0x8D, 0x06], [6, 0], [6, 2, 50, 0]] as [[UInt8]] {
            #expect(throws: WireError.self) { try PostBody(decoding: bare + field) }
        }
    }

    @Test func aPostMaySayWhenItWasWritten() throws {
        func post(_ milliseconds: Int64?, alt: String? = nil) throws -> PostBody {
            let blob = try #require(BlobName(root: Bytes32(words: (1, 2, 3, 4)), size: 9))
            let photo = alt.map { BodyPhoto(blob, width: 4, height: 3, alt: $0) }
            return PostBody(
                name: try PeerName("bob"), place: Place(try PostSamples.gate()), text: "Soup", placeName: "",
                photo: photo, unlockMetres: 50, written: milliseconds.map { WallTime(milliseconds: $0) })
        }
        let range = PostBody.writtenRange
        for milliseconds in [range.lowerBound, 1_700_000_000_000, range.upperBound] {
            let body = try post(milliseconds, alt: "A pot").body
            #expect(try PostBody(decoding: body) == post(milliseconds, alt: "A pot"))
        }
        let bare = try post(nil).body
        #expect(try PostBody(decoding: bare).written == nil)
        #expect(try post(1_700_000_000_000).body == bare + [8, 6, 0x80, 0xD0, 0x95, 0xFF, 0xBC, 0x31])
        // 0, 2^48, none, with a byte too many, and of 2^64 - 1.
        let faulty: [[UInt8]] = [
            [8, 1, 0], [8, 7, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40], [8, 0], [8, 2, 50, 0],
            [8, 10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
        ]
        for field in faulty { #expect(throws: WireError.self) { try PostBody(decoding: bare + field) } }
        #expect(throws: WireError.outOfRange(field: "post written")) { try PostBody(decoding: bare + [8, 1, 0]) }
    }

    @Test func aPostAndAnEventCanBeAtAPlace() throws {
        let place = RecordID(Bytes32(words: (5, 6, 7, 8)))
        let post = PostBody(
            name: try PeerName("bob"), place: Place(try PostSamples.gate()), text: "Soup", placeName: "Kitchen",
            isUrgent: true, atPlace: place)
        #expect(try PostBody(decoding: post.body) == post)
        #expect(post.body.suffix(36) == [3, 0, 5, 32] + place.hash.bytes)
        #expect(throws: WireError.outOfRange(field: "place of an item")) {
            try PostBody(decoding: try PostSamples.post().body + [5, 1, 9])
        }
    }
}
