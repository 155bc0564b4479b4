package import LatticeCore
package import LatticeWire

/// Seals letters: for one person, from one author, to one prekey.
package enum LetterSeal {
    static let tagInfo = Array("lattice letter tag v1".utf8)
    static let letterInfo = Array("lattice letter v1".utf8)

    /// - Parameters:
    ///   - text: of one of `LetterText.sizes`.
    ///   - author: whose record it will be: in another's it does not open.
    /// - Throws: `lowOrderKey` for a prekey or an identity that is none.
    package static func seal(
        _ text: [UInt8], from author: PeerID, to recipient: PeerID, _ prekey: Prekey
    ) throws(CryptoError) -> SealedBody {
        guard let point = Sodium.x25519PublicKey(ofSigner: recipient.key.bytes) else { throw .lowOrderKey }
        let tag = try HPKE.seal(
            Prekey.bytes(of: prekey.id), to: bytes32(point), info: tagInfo, authenticating: author.key.bytes)
        let letter = try HPKE.seal(
            text, to: prekey.key, info: letterInfo,
            authenticating: letterData(author: author, recipient: recipient, tag))
        return SealedBody(tagKey: tag.key, tag: tag.bytes, letterKey: letter.key, letter: letter.bytes)
    }

    /// What a letter is bound to: its author, whom it is for, and its tag.
    static func letterData(author: PeerID, recipient: PeerID, _ tag: HPKE.Sealed) -> [UInt8] {
        author.key.bytes + recipient.key.bytes + tag.key.bytes + tag.bytes
    }
}

/// Recognises letters for one person, and opens them with prekeys whose secrets leave this room only sealed.
package final class LetterKeys: Sendable {
    private static let restContext = Array("lattice prekey at rest v1".utf8)
    /// Its own peer.
    package let recipient: PeerID
    private let identityKey: AgreementKey
    private let restKey: SecretBytes

    /// - Parameter isGuarded: whether what lasts is kept out of swap and core dumps, as the keys of whom the program is run for are.
    package init(_ identity: Identity, isGuarded: Bool = true) {
        recipient = identity.peer
        identityKey = AgreementKey(
            secret: Sodium.x25519Secret(signingKey: Sodium.signingKey(seed: identity.seed())), isGuarded: isGuarded)
        let key = Sodium.blake2b256(key: identity.seed(), Self.restContext)
        restKey = isGuarded ? key.guarded() : key
    }

    /// Where the secrets are that last: the one that recognises letters, and the one that seals prekeys at rest. A prekey's own is
    /// there for as long as it takes to open one letter.
    package var memory: [SecretBytes.Memory] { [identityKey.memory, restKey.memory] }

    /// - Returns: the id of the prekey it is sealed to, or `nil` for what is for somebody else, which takes one key agreement to tell.
    package func prekeyID(of body: SealedBody, by author: PeerID) -> UInt64? {
        do {
            let id = try HPKE.open(
                HPKE.Sealed(key: body.tagKey, bytes: body.tag), by: identityKey, info: LetterSeal.tagInfo,
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
            HPKE.Sealed(key: body.letterKey, bytes: body.letter), by: AgreementKey(secret: secret),
            info: LetterSeal.letterInfo,
            authenticating: LetterSeal.letterData(author: author, recipient: recipient, tag))
    }

    /// A new key with a random id.
    package func makePrekey() -> KeptPrekey { kept(.random(32), id: SecureRandom.word()) }

    func kept(_ secret: consuming SecretBytes, id: UInt64) -> KeptPrekey {
        let prekey = Prekey(id: id, key: bytes32(Sodium.x25519PublicKey(of: secret)))
        return KeptPrekey(
            prekey: prekey,
            sealed: Sodium.sealWhole(key: restKey, authenticating: Self.name(of: prekey), secret: secret))
    }

    /// So that no secret is taken for another's.
    private static func name(of prekey: Prekey) -> [UInt8] {
        Prekey.bytes(of: prekey.id) + prekey.key.bytes
    }
}

/// A prekey of one's own as it may be written down: its secret sealed under a key that follows from the identity
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
