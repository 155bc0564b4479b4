import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

/// Lines that the members of a room can open. The figures were made by another implementation (Python's `hmac` and `cryptography`).
struct RoomKeyTests {
    private static let secret = Array(UInt8(0)..<32)
    private static let author = PeerID(
        Bytes32(words: (0x1111_1111_1111_1111, 0x1111_1111_1111_1111, 0x1111_1111_1111_1111, 0x1111_1111_1111_1111)))
    private static let tagPoint = "a4e09292b651c278b9772c569f5fa9bb13d906b46ab68c9df9dc2b4409f8a209"
    private static let messagePoint = "ce8d3ad1ccb633ec7b70c17814a5c76ecd029685050d344745ba05870e587d59"
    private static let id = "8861e848d4530c4770dbfb4b3797eca2cca7d19871500d2201a8077d245ac6e0"
    private static let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
    /// The line `hi` of `bob`.
    private static let line =
        tagPoint + "d1ff3201a5ce27fdf90197ed97fac715bf0c6e41e87d479c" + messagePoint
        + "1c24a663dac42c4c1ad83009fa731463b7f9a88df1562f7b4b9a8848d30f3908a5b655055b2eeec3403313389c44e9cf"
        + "26d77a2059168244a06ff8390a9430f722264014c91d217c547ab2b1ac0746f0b225c15a53a6bd6304c0d9bbaef7cc49"
        + "be8b94a27e37551d2faced563f270f12e7d1be7bd641a93d9fb603152dc757798d642b9f8311ec3bb9a45a54bb052cf0"
        + "d45102596febd7437c5bd035c7e7b17936b96ff3ec41311bafbef602eeeabd3955e7d43e5f4cc2039d4640549fe131e1"
        + "8a054ed0cee6d4cec38063a49aae79ff76997d02e306dd691df4665d05fbf4e4f7f4c9001f500fc76b9689898d19f33a"
        + "77aa3084929048d3f4f2cd8f3314002f78e5a05d89e1b7cb359fdebabc7c21da"

    private func key() -> RoomKey { RoomKey(secret: SecretBytes(copying: Self.secret)) }

    private func typed(_ text: String, _ room: String = "#camp") throws -> RoomKey {
        try RoomKey(typed: SecretBytes(copying: Array(text.utf8)), room: RoomName(room))
    }

    private func hi() throws -> [UInt8] {
        SealedText.line(ChatLine(style: .says, name: try PeerName("bob"), text: "hi")).bytes
    }

    @Test func aLineIsTheBytesItAlwaysWas() throws {
        let body = key().seal(
            try hi(), from: Self.author, tagPoint: try #require(Bytes32(hex: Self.tagPoint)),
            messagePoint: try #require(Bytes32(hex: Self.messagePoint)))
        #expect(Hex.string(body.body) == Self.line)
        #expect(try key().open(body, by: Self.author) == hi())
        #expect(key().id.hex == Self.id)
        #expect(key().text() == Self.text)
    }

    @Test func everyFlippedBitDoesNotOpen() throws {
        let body = try #require(Hex.bytes(Self.line))
        let key = key()
        for bit in 0..<body.count * 8 {
            var changed = body
            changed[bit / 8] ^= 1 << (bit % 8)
            let sealed = try SealedBody(decoding: changed)
            #expect(throws: CryptoError.decryptionFailed, "bit \(bit)") { try key.open(sealed, by: Self.author) }
        }
    }

    @Test func aLineInAnothersRecordDoesNotOpen() throws {
        let other = Identity.generate().peer
        let body = try SealedBody(decoding: #require(Hex.bytes(Self.line)))
        #expect(key().recognises(body, by: Self.author) && !key().recognises(body, by: other))
        #expect(throws: CryptoError.decryptionFailed) { try key().open(body, by: other) }
        #expect(!RoomKey.random().recognises(body, by: Self.author))
    }

    /// Not even a member can put another's private message under a tag that is true.
    @Test func aLineUnderAnotherTagOrPointDoesNotOpen() throws {
        let key = key()
        let (one, other) = (key.seal(try hi(), from: Self.author), key.seal(try hi(), from: Self.author))
        for mixed in [
            SealedBody(tagKey: other.tagKey, tag: other.tag, messageKey: one.messageKey, message: one.message),
            SealedBody(tagKey: one.tagKey, tag: one.tag, messageKey: other.messageKey, message: one.message),
        ] {
            #expect(key.recognises(mixed, by: Self.author))
            #expect(throws: CryptoError.decryptionFailed) { try key.open(mixed, by: Self.author) }
        }
    }

    /// What a relay sees of a line and of a private message.
    @Test func aLineHasTheFormOfAMessageAndNothingOfAnotherLine() throws {
        let (alice, bob) = (Identity.generate(), Identity.generate())
        let key = RoomKey.random()
        let prekey = MessageKeys(bob).makePrekey().prekey
        for size in SealedText.sizes {
            let text = [UInt8](repeating: 7, count: size)
            let message = try MessageSeal.seal(text, from: alice.peer, to: bob.peer, prekey)
            let (one, other) = (key.seal(text, from: alice.peer), key.seal(text, from: alice.peer))
            #expect(one.body.count == message.body.count)
            #expect(one.tag.count == message.tag.count && one.message.count == message.message.count)
            #expect(one.tagKey != other.tagKey && one.tag != other.tag)
            #expect(one.messageKey != other.messageKey && one.message != other.message)
            // A point of the curve that somebody could agree with, as in a private message; and a private message to nobody
            // here.
            for point in [one.tagKey, one.messageKey] { _ = try AgreementKey.generate().agree(with: point) }
            #expect(MessageKeys(bob).prekeyID(of: one, by: alice.peer) == nil)
        }
    }

    @Test func whoeverTypesTheSameIsInTheSameRoom() throws {
        let one = try typed("correct horse")
        #expect(one.id.hex == "2a67732fa561fee823f717f0505f3e5cbf4e96f0410ffe7fd7dc333989e14bcb")
        #expect(one.exported().hex == "f017def6eac18910b66aefd51143b8ea274c4453e2cf5e49384fe8b2f37bafb4")
        #expect(try typed("correct horse").id == one.id)
        #expect(try typed("correct horse", "#other").id != one.id)
        #expect(try typed("Correct horse").id != one.id)
    }

    @Test func theTextOfASecretIsTheSecretWhateverTheRoomIsCalled() throws {
        #expect(try typed(Self.text, "#a").id == key().id)
        #expect(try typed(Self.text, "#b").id == key().id)
        // Forty-three characters whose last one no 32 bytes have: a text like others.
        let close = String(Self.text.dropLast()) + "9"
        #expect(try typed(close, "#a").id != typed(close, "#b").id)
        let random = RoomKey.random()
        #expect(try typed(random.text()).id == random.id)
        #expect(RoomKey(exported: random.exported()).id == random.id)
    }

    @Test(arguments: [(0, false), (7, false), (8, true), (1_024, true), (1_025, false)])
    func aKeyHasItsLimits(bytes: Int, isTaken: Bool) throws {
        let text = String(repeating: "x", count: bytes)
        do {
            _ = try typed(text)
            #expect(isTaken)
        } catch let error as RoomKeyError {
            #expect(!isTaken)
            #expect(!"\(error)".contains("xx"))
        }
    }

    @Test func aKeptKeyIsNoOtherKeysAndNoOtherPersons() throws {
        let identity = Identity.generate()
        let safe = RoomKeySafe(identity)
        let (key, other) = (RoomKey.random(), RoomKey.random())
        let sealed = safe.sealed(key)
        #expect(sealed.count == 24 + 32 + 16)
        #expect(try RoomKeySafe(identity).key(key.id, sealed: sealed).exported() == key.exported())
        #expect(throws: CryptoError.decryptionFailed) { try safe.key(other.id, sealed: sealed) }
        #expect(throws: CryptoError.decryptionFailed) {
            try RoomKeySafe(Identity.generate()).key(key.id, sealed: sealed)
        }
    }
}
