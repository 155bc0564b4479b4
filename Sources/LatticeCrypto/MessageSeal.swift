package import LatticeCore
package import LatticeWire

/// Seals private messages from one author to one prekey of one person.
package enum MessageSeal {
    static let tagInfo = Array("lattice letter tag v1".utf8)
    static let messageInfo = Array("lattice letter v1".utf8)

    /// - Parameters:
    ///   - text: its length is one of `SealedText.sizes`.
    ///   - author: the author of the record; it does not open in another author's record.
    /// - Throws: `lowOrderKey` if the prekey or the identity is not a valid key.
    package static func seal(
        _ text: [UInt8], from author: PeerID, to recipient: PeerID, _ prekey: Prekey
    ) throws(CryptoError) -> SealedBody {
        guard let point = Sodium.x25519PublicKey(ofSigner: recipient.key.bytes) else { throw .lowOrderKey }
        let tag = try HPKE.seal(
            Prekey.bytes(of: prekey.id), to: bytes32(point), info: tagInfo, authenticating: author.key.bytes)
        let message = try HPKE.seal(
            text, to: prekey.key, info: messageInfo,
            authenticating: messageData(author: author, recipient: recipient, tag))
        return SealedBody(tagKey: tag.key, tag: tag.bytes, messageKey: message.key, message: message.bytes)
    }

    /// What a private message is bound to: its author, its recipient, and its tag.
    static func messageData(author: PeerID, recipient: PeerID, _ tag: HPKE.Sealed) -> [UInt8] {
        author.key.bytes + recipient.key.bytes + tag.key.bytes + tag.bytes
    }
}

/// Recognises private messages to one person, and opens them with prekeys, whose secrets leave this module only
/// encrypted.
package final class MessageKeys: Sendable {
    private static let restContext = Array("lattice prekey at rest v1".utf8)
    package let recipient: PeerID
    private let identityKey: AgreementKey
    private let restKey: SecretBytes

    /// - Parameter isGuarded: whether the long-lived keys are kept out of swap and core dumps: for the program's owner.
    package init(_ identity: Identity, isGuarded: Bool = true) {
        recipient = identity.peer
        identityKey = AgreementKey(
            secret: Sodium.x25519Secret(signingKey: Sodium.signingKey(seed: identity.seed())), isGuarded: isGuarded)
        let key = Sodium.blake2b256(key: identity.seed(), Self.restContext)
        restKey = isGuarded ? key.guarded() : key
    }

    /// The kinds of memory of the long-lived secrets: the key that recognises private messages, and the key that
    /// encrypts prekeys at rest. A prekey's secret is in memory only while it opens one private message.
    package var memory: [SecretBytes.Memory] { [identityKey.memory, restKey.memory] }

    /// - Returns: the id of the prekey that it is sealed to; `nil` if it is for somebody else. Costs one key agreement.
    package func prekeyID(of body: SealedBody, by author: PeerID) -> UInt64? {
        do {
            let id = try HPKE.open(
                HPKE.Sealed(key: body.tagKey, bytes: body.tag), by: identityKey, info: MessageSeal.tagInfo,
                authenticating: author.key.bytes)
            return id.reduce(0) { $0 << 8 | UInt64($1) }
        } catch {
            return nil
        }
    }

    /// - Returns: the text, padded.
    /// - Throws: `lowOrderKey`, `decryptionFailed`
    package func open(
        _ body: SealedBody, by author: PeerID, with prekey: KeptPrekey
    ) throws(CryptoError) -> [UInt8] {
        let secret = Sodium.openWhole(key: restKey, authenticating: Self.name(of: prekey.prekey), prekey.sealed)
        guard let secret else { throw .decryptionFailed }
        let tag = HPKE.Sealed(key: body.tagKey, bytes: body.tag)
        return try HPKE.open(
            HPKE.Sealed(key: body.messageKey, bytes: body.message), by: AgreementKey(secret: secret),
            info: MessageSeal.messageInfo,
            authenticating: MessageSeal.messageData(author: author, recipient: recipient, tag))
    }

    package func makePrekey() -> KeptPrekey { kept(.random(32), id: SecureRandom.word()) }

    func kept(_ secret: consuming SecretBytes, id: UInt64) -> KeptPrekey {
        let prekey = Prekey(id: id, key: bytes32(Sodium.x25519PublicKey(of: secret)))
        return KeptPrekey(
            prekey: prekey,
            sealed: Sodium.sealWhole(key: restKey, authenticating: Self.name(of: prekey), secret: secret))
    }

    /// Binds each secret to its prekey.
    private static func name(of prekey: Prekey) -> [UInt8] {
        Prekey.bytes(of: prekey.id) + prekey.key.bytes
    }
}

/// An own prekey in the form that is stored: its secret is encrypted under a key derived from the identity
/// (XChaCha20-Poly1305; BLAKE2b of `"lattice prekey at rest v1"` under the seed).
package struct KeptPrekey: Hashable, Sendable {
    package let prekey: Prekey
    /// `nonce:24 secret:32 tag:16`
    package let sealed: [UInt8]

    package init(prekey: Prekey, sealed: [UInt8]) {
        self.prekey = prekey
        self.sealed = sealed
    }
}
