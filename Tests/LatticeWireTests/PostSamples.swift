import LatticeCore
import LatticeGeo
import LatticeWire
import Testing

/// The body of a post with its bytes, and how those bytes are read and written again.
struct PostSample: CustomTestStringConvertible, Sendable {
    /// What an error calls the whole of it.
    let name: String
    let kind: RecordKind
    let body: [UInt8]
    let hex: String
    let reread: @Sendable ([UInt8]) throws(WireError) -> [UInt8]

    /// Whether its form ends with optional fields.
    var hasFields: Bool { kind != .like }

    var testDescription: String { name }
}

/// Bodies and their bytes, written out by hand; the page of the protocol shows the same.
enum PostSamples {
    static let gateHex = "1f4d58fa" + "07f94691" + "00"
    static let postHex = "03626f62" + gateHex + "0d57617465722069732068657265" + "087468652067617465"
    static let picnicHex =
        "03626f62" + "065069636e6963" + "1f4d84be" + "07f8fe51" + "06" + "0000018bcfe56800" + "0000018bd0534500"
        + "06476174652033" + "0b4272696e67206120637570"

    /// A record of a post, and its author's deletion of it. Both signatures were made by another implementation.
    static let postRecordHex =
        "01" + "04" + Samples.authorHex + "018bcfe568000008" + "809a9e01" + "00" + "24" + postHex
        + "676412ca813dc89e486c93854d1673e979fb08eb9cdd2b02927509494fb5bc17"
        + "cd06273d3ef6d13ef695cea35c23e4adb806b9789e3fbe1681347b2351865a03"
    static let postRecordID = "36623a751c356e0b5687cd7b08646aaab6925aab9ea3d7566a80b8e8cf12d656"
    static let deletionRecordHex =
        "01" + "0b" + Samples.authorHex + "018bcfe568000009" + "809a9e01" + "20" + postRecordID + "00"
        + "41a0ae9f99f40a7bf7cbe5c5a83095f4a2ecacddca2de7818e08e68279c1feb2"
        + "653193f2ecb8ce7001ed2ab45ec20b02ad56724ad72cd7ee0165499429d4dc01"

    static func gate() throws -> Coordinate {
        try #require(Coordinate(latitudeE7: 525_162_746, longitudeE7: 133_777_041))
    }

    static func profile() throws -> ProfileBody {
        ProfileBody(name: try PeerName("bob"), about: "hi", colour: Colour(rgb: 0x1E90FF))
    }

    static func post() throws -> PostBody {
        PostBody(
            name: try PeerName("bob"), place: Place(try gate()), text: "Water is here", placeName: "the gate")
    }

    static func comment() throws -> CommentBody {
        CommentBody(name: try PeerName("bob"), text: "Thanks")
    }

    /// At the middle of the cell with six characters in which the gate lies.
    static func picnic() throws -> EventBody {
        let middle = try #require(Coordinate(latitudeE7: 525_173_950, longitudeE7: 133_758_545))
        return EventBody(
            author: try PeerName("bob"), name: "Picnic", place: Place(middle, geohashCharacters: 6),
            starts: WallTime(milliseconds: 1_700_000_000_000), ends: WallTime(milliseconds: 1_700_007_200_000),
            address: "Gate 3", text: "Bring a cup")
    }

    static func all() throws -> [PostSample] {
        [
            PostSample(
                name: "profile", kind: .profile, body: try profile().body,
                hex: "03626f62" + "026869" + "01" + "1e90ff"
            ) { body throws(WireError) in try ProfileBody(decoding: body).body },
            PostSample(name: "post", kind: .post, body: try post().body, hex: postHex) {
                body throws(WireError) in try PostBody(decoding: body).body
            },
            PostSample(
                name: "comment", kind: .comment, body: try comment().body, hex: "03626f62" + "065468616e6b73"
            ) { body throws(WireError) in try CommentBody(decoding: body).body },
            PostSample(name: "event", kind: .event, body: try picnic().body, hex: picnicHex) {
                body throws(WireError) in try EventBody(decoding: body).body
            },
            PostSample(name: "statement", kind: .like, body: Statement(holds: true).body, hex: "01") {
                body throws(WireError) in try Statement(decoding: body).body
            },
        ]
    }
}
