import Foundation
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeCrypto

/// What the page of the protocol shows of seals and signatures, made by another implementation (Python's `cryptography`), is what
/// opens here.
struct PageVectorTests {
    private let bob = Identity(seed: seed("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    private let other = Identity(seed: seed("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))

    private static func seed(_ hex: String) -> SecretBytes {
        SecretBytes(copying: Hex.bytes(hex) ?? [])
    }

    /// The hexadecimal digits that stand behind some words, white space aside.
    private static func bytes(behind words: String, count: Int) throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md")
        let text = try String(contentsOf: page, encoding: .utf8).filter { !$0.isWhitespace }
        let start = try #require(text.range(of: words.filter { !$0.isWhitespace })).upperBound
        return try #require(Hex.bytes(String(text[start...].prefix(2 * count))))
    }

    @Test func theMessageOnThePageOpens() throws {
        let prekeys = try PrekeysBody(decoding: Self.bytes(behind: "13 prekeys", count: 41))
        let keys = MessageKeys(other)
        let kept = keys.kept(SecretBytes(copying: [UInt8](repeating: 0x44, count: 32)), id: 7)
        #expect(prekeys.rotating == kept.prekey && prekeys.oneTime.isEmpty)
        let body = try SealedBody(decoding: Self.bytes(behind: "12 sealed", count: 32 + 24 + 32 + 272))
        #expect(keys.prekeyID(of: body, by: bob.peer) == 7)
        let text = try SealedText(decoding: keys.open(body, by: bob.peer, with: kept))
        #expect(text == .line(ChatLine(style: .says, name: try PeerName("bob"), text: "hi")))
    }

    @Test func theResidenceOnThePageIsTheWordOfItsNode() throws {
        let word = try Self.bytes(behind: "14 residence", count: 64)
        #expect(other.vouch(for: bob.peer).body == word)
        let bytes = try Self.bytes(behind: "Its record, with counter 10 and for a year: ```", count: 208)
        let record = try RecordVerifier.verify(SignedRecord(decoding: bytes[...]))
        #expect(record.author == bob.peer && record.record.body == word)
        #expect(try ResidenceBody.host(of: record) == other.peer)
    }

    @Test func theLineOfAPrivateRoomOnThePageOpens() throws {
        let author = PeerID(try #require(Bytes32([UInt8](repeating: 0x11, count: 32))))
        let body = try SealedBody(decoding: Self.bytes(behind: "is a body of kind 12, too: ```", count: 360))
        let text = try RoomKey(secret: SecretBytes(copying: Array(0..<32))).open(body, by: author)
        #expect(try SealedText(decoding: text) == .line(ChatLine(style: .says, name: try PeerName("bob"), text: "hi")))
    }
}
