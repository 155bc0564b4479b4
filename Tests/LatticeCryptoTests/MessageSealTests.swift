import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

/// Private messages between three people.
struct MessageSealTests {
    private let alice = Identity.generate()
    private let bob = Identity.generate()
    private let carol = Identity.generate()
    private let text = [UInt8](repeating: 7, count: 256)

    @Test func onlyTheRecipientRecognisesAndOpensAMessage() throws {
        let (hers, his) = (MessageKeys(carol), MessageKeys(bob))
        let key = his.makePrekey()
        let body = try MessageSeal.seal(text, from: alice.peer, to: bob.peer, key.prekey)
        #expect(his.prekeyID(of: body, by: alice.peer) == key.prekey.id)
        #expect(try his.open(body, by: alice.peer, with: key) == text)
        #expect(hers.prekeyID(of: body, by: alice.peer) == nil)
        #expect(MessageKeys(alice).prekeyID(of: body, by: alice.peer) == nil)
        #expect(try SealedBody(decoding: body.body) == body)
    }

    @Test func twoMessagesHaveNothingInCommon() throws {
        let key = MessageKeys(bob).makePrekey().prekey
        let one = try MessageSeal.seal(text, from: alice.peer, to: bob.peer, key)
        let other = try MessageSeal.seal(text, from: alice.peer, to: bob.peer, key)
        #expect(one.tagKey != other.tagKey && one.tag != other.tag)
        #expect(one.messageKey != other.messageKey && one.message != other.message)
    }

    @Test func aMessageInAnothersRecordDoesNotOpen() throws {
        let keys = MessageKeys(bob)
        let key = keys.makePrekey()
        let body = try MessageSeal.seal(text, from: alice.peer, to: bob.peer, key.prekey)
        #expect(keys.prekeyID(of: body, by: carol.peer) == nil)
        #expect(throws: CryptoError.decryptionFailed) { try keys.open(body, by: carol.peer, with: key) }
    }

    @Test func aMessageUnderAnotherTagDoesNotOpen() throws {
        let keys = MessageKeys(bob)
        let key = keys.makePrekey()
        let one = try MessageSeal.seal(text, from: alice.peer, to: bob.peer, key.prekey)
        let other = try MessageSeal.seal(text, from: alice.peer, to: bob.peer, key.prekey)
        let mixed = SealedBody(tagKey: other.tagKey, tag: other.tag, messageKey: one.messageKey, message: one.message)
        #expect(throws: CryptoError.decryptionFailed) { try keys.open(mixed, by: alice.peer, with: key) }
    }

    @Test func aKeptSecretIsNoOtherKeysAndNoOtherPersons() throws {
        let keys = MessageKeys(bob)
        let (key, other) = (keys.makePrekey(), keys.makePrekey())
        let body = try MessageSeal.seal(text, from: alice.peer, to: bob.peer, key.prekey)
        let swapped = KeptPrekey(prekey: key.prekey, sealed: other.sealed)
        #expect(throws: CryptoError.decryptionFailed) { try keys.open(body, by: alice.peer, with: swapped) }
        #expect(throws: CryptoError.decryptionFailed) {
            try MessageKeys(carol).open(body, by: alice.peer, with: key)
        }
        #expect(key.sealed.count == 24 + 32 + 16)
        #expect(try MessageKeys(bob).open(body, by: alice.peer, with: key) == text, "after a restart")
    }

    @Test func keysThatAreNoneAreRefused() throws {
        let key = MessageKeys(bob).makePrekey().prekey
        #expect(throws: CryptoError.lowOrderKey) {
            try MessageSeal.seal(text, from: alice.peer, to: PeerID(.zero), key)
        }
        #expect(throws: CryptoError.lowOrderKey) {
            try MessageSeal.seal(text, from: alice.peer, to: bob.peer, Prekey(id: 1, key: .zero))
        }
    }
}
