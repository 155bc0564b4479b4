import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

struct SignatureTests {
    private let identity = Identity(seed: SecretBytes(copying: Array(0..<32)))

    private var record: Record {
        Record(
            kind: .chat, author: identity.peer, created: HybridTime(rawValue: 7), lifetimeSeconds: 3_600,
            topic: Array("#park".utf8), body: [1, 2, 3]
        )
    }

    @Test func whatIsSignedIsVerified() throws {
        let mine = identity.sign(record)
        let theirs = try RecordVerifier.verify(SignedRecord(decoding: mine.signed.bytes[...]))
        #expect(theirs == mine)
        #expect(theirs.signed.record == record)
    }

    @Test func aRecordIsNamedByTheHashOfAllItsBytes() throws {
        let mine = identity.sign(record)
        #expect(mine.id.hash == Digest.blake2b256(mine.signed.bytes))
        #expect(try RecordVerifier.verify(mine.signed).id == mine.id)
    }

    @Test func theSignatureCoversContextAndRecord() throws {
        let mine = identity.sign(record)
        try SignatureVerifier.verify(
            mine.signed.signature, by: identity.peer, context: Array("lattice record v1".utf8), record.unsignedBytes
        )
    }

    @Test func everyFlippedBitIsRefused() throws {
        let bytes = identity.sign(record).signed.bytes
        for bit in 0..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: (any Error).self, "bit \(bit)") {
                try RecordVerifier.verify(try SignedRecord(decoding: changed[...]))
            }
        }
    }

    @Test func anothersSignatureIsRefused() {
        let record = record
        let forged = SignedRecord(
            record, signature: Identity.generate().sign(context: Record.signatureContext, record.unsignedBytes)
        )
        #expect(throws: CryptoError.badSignature) { try RecordVerifier.verify(forged) }
    }

    @Test func aSignatureForAnotherPurposeIsRefused() {
        let record = record
        let signature = identity.sign(context: Introduction.signatureContext, record.unsignedBytes)
        #expect(throws: CryptoError.badSignature) {
            try RecordVerifier.verify(SignedRecord(record, signature: signature))
        }
    }

    /// The same signature with its second half increased by the group order: RFC 8032 section 5.1.7 refuses it.
    @Test func aSecondSpellingOfASignatureIsRefused() throws {
        let order = try #require(Hex.bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"))
        var signature = identity.sign(context: [], [1])
        var carry = 0
        for index in 0..<32 {
            let sum = Int(signature[32 + index]) + Int(order[index]) + carry
            signature[32 + index] = UInt8(sum & 255)
            carry = sum >> 8
        }
        #expect(throws: CryptoError.badSignature) {
            try SignatureVerifier.verify(signature, by: identity.peer, context: [], [1])
        }
    }

    /// With the neutral point as its key, this signature would fit every message.
    @Test func aKeyOfSmallOrderIsRefused() throws {
        let neutral = [1] + [UInt8](repeating: 0, count: 31)
        let peer = PeerID(try #require(Bytes32(neutral)))
        #expect(throws: CryptoError.badSignature) {
            try SignatureVerifier.verify(neutral + [UInt8](repeating: 0, count: 32), by: peer, context: [], [1])
        }
    }

    @Test(arguments: [0, 1, 63, 65, 128])
    func aSignatureOfAnotherLengthIsRefused(count: Int) {
        #expect(throws: CryptoError.badSignature) {
            try SignatureVerifier.verify([UInt8](repeating: 0, count: count), by: identity.peer, context: [], [])
        }
    }

    @Test func everyIdentityIsNew() {
        #expect(Identity.generate().peer != Identity.generate().peer)
        #expect(SecureRandom.word() != SecureRandom.word())
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        #expect(SecureRandom.bytes(0).isEmpty)
    }

    @Test func aMeshIsTaggedByTheBeginningOfItsHash() throws {
        let tag = Digest.meshTag(try MeshName("lattice"))
        let hash = Digest.blake2b256(Array("lattice mesh v1lattice".utf8)).bytes
        #expect(tag == hash.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        #expect(tag == 0xE1C6_8F81)
        #expect(try Digest.meshTag(MeshName("other")) != tag)
    }

    /// The record on the page of the protocol, signed by another implementation.
    @Test func thePublishedRecordIsMadeByteForByte() throws {
        let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
        let author = Identity(seed: SecretBytes(copying: try #require(Hex.bytes(seed))))
        let line = ChatLine(style: .says, name: try PeerName("bob"), text: "hi")
        let verified = author.sign(
            Record(
                kind: .chat, author: author.peer,
                created: HybridTime(wallTime: WallTime(milliseconds: 1_700_000_000_000), counter: 7),
                lifetimeSeconds: 604_800, topic: Array("#park".utf8), body: line.body
            )
        )
        let signature =
            "3769a006ba08b9f876c9b216fcd09fcc1b0adc9b03ad8b7559995b659ecb5e14"
            + "907f381885cbcbdeea04849e791ca00e3e41da904e810dcf4ac848aa67cb4400"
        #expect(Hex.string(verified.signed.signature) == signature)
        #expect(verified.id.hex == "8840b0bca210de145f9d7f78c09db151672b76aed414c391cd2f64837c535a9e")
    }

    /// The introduction on the page of the protocol.
    @Test func thePublishedIntroductionIsSignedForItsKey() throws {
        let peer = try #require(PeerID(hex: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
        let staticKey = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
        let signature =
            "ce85511aae40956ec268d5bfed8a5eb13dca97ba14d777ea4e84b012ae9338ce"
            + "b325bf02f7d4b0eca2c6d207ecc4fdb49eef19b0f29e7ab1fb3bdb936eed1c02"
        try SignatureVerifier.verify(
            try #require(Hex.bytes(signature)), by: peer, context: Introduction.signatureContext,
            try #require(Hex.bytes(staticKey))
        )
    }

    /// The probe on the page of the protocol.
    @Test func thePublishedStopIsSignedByItsPeer() throws {
        let peer = try #require(PeerID(hex: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
        let to = PeerID(try #require(Bytes32([UInt8](repeating: 2, count: 32))))
        let probe = Probe(direction: .there, nonce: 1, from: peer, to: to, timeToLive: 32, path: [])
        let signature =
            "c7a794607c93a9d05cb59c4e5ffd85d63b1da347320b702a7186c581063743a2"
            + "e7716664cd51e3a52f5746d78e276e50054986b3251dbd3787302d7b62bb2905"
        try SignatureVerifier.verify(
            try #require(Hex.bytes(signature)), by: peer, context: [],
            probe.signedBytes(appending: peer, name: PeerName("bob"))
        )
    }
}
