package import LatticeCore
package import LatticeWire

/// The shared secret of a private room's members, and the keys derived from it.
///
/// The secret is random or slow to guess. HKDF-Expand (RFC 5869 section 2.3) derives three values from it: the id by
/// which members name the key, the key that recognises lines, and the key that each line's own key is derived from.
package final class RoomKey: Sendable {
    package static let secretBytes = 32
    private static let tagInfo = Array("lattice room tag v1".utf8)
    private static let contentInfo = Array("lattice room content v1".utf8)
    private static let idInfo = Array("lattice room id v1".utf8)
    private static let lineInfo = Array("lattice room line v1".utf8)
    private static let saltPrefix = "lattice room key v1"
    /// Argon2id parameters, as for the key of a mesh.
    private static let passes = 2
    private static let memoryBytes = 64 << 20

    /// Names the key and reveals nothing about it.
    package let id: Bytes32
    private let secret: SecretBytes
    private let tagKey: SecretBytes
    private let contentKey: SecretBytes

    package init(secret: consuming SecretBytes) {
        precondition(secret.count == Self.secretBytes, "the secret of a room has 32 bytes")
        let secret = secret.guarded()
        id = bytes32(Self.expand(secret, Self.idInfo).octetsOfWhatIsPublic)
        tagKey = Self.expand(secret, Self.tagInfo)
        contentKey = Self.expand(secret, Self.contentInfo)
        self.secret = secret
    }

    package static func random() -> RoomKey { RoomKey(secret: .random(secretBytes)) }

    package convenience init(exported: Bytes32) {
        self.init(secret: SecretBytes(copying: exported.bytes))
    }

    /// A key that a person typed or keeps in a file: the text of a secret, or any other text, which takes a tenth of a
    /// second and 64 MiB.
    ///
    /// - Parameter typed: 8–1,024 bytes.
    package convenience init(typed: borrowing SecretBytes, room: RoomName) throws(RoomKeyError) {
        guard typed.count >= RoomKeyError.typedBytesMin else { throw .tooShort(bytes: typed.count) }
        guard typed.count <= RoomKeyError.typedBytesMax else { throw .tooLong(bytes: typed.count) }
        if typed.count == 43 {
            let text = String(decoding: (0..<43).map { typed[$0] }, as: UTF8.self)
            if let bytes = Base64URL.bytes(text), bytes.count == Self.secretBytes {
                self.init(secret: SecretBytes(copying: bytes))
                return
            }
        }
        let salt = Digest.blake2b256(Array(Self.saltPrefix.utf8) + Array(room.text.utf8)).bytes.prefix(16)
        let secret = Sodium.argon2id(
            typed, salt: Array(salt), passes: Self.passes, memoryBytes: Self.memoryBytes, count: Self.secretBytes)
        guard let secret else { throw .noMemory }
        self.init(secret: secret)
    }

    /// The key for a private message to a member; it lets its reader read the room.
    package func exported() -> Bytes32 {
        bytes32((0..<Self.secretBytes).map { secret[$0] })
    }

    /// The key as text to copy: 43 characters that `init(typed:room:)` accepts for any room name.
    package func text() -> String { Base64URL.string(exported().bytes) }

    /// - Parameters:
    ///   - text: its length is one of `SealedText.sizes`.
    ///   - author: the author of the record; it does not open in another author's record.
    ///   - tagPoint, messagePoint: must not be used for anything else, and their secrets for nothing at all; only tests
    ///     pass them.
    package func seal(
        _ text: [UInt8], from author: PeerID, tagPoint: Bytes32 = AgreementKey.generate().publicKey,
        messagePoint: Bytes32 = AgreementKey.generate().publicKey
    ) -> SealedBody {
        let tag = tag(author, tagPoint)
        let sealed = Sodium.seal(
            key: lineKey(tagPoint, messagePoint), nonce: Self.nonce,
            authenticating: author.key.bytes + tagPoint.bytes + tag, text)
        return SealedBody(tagKey: tagPoint, tag: tag, messageKey: messagePoint, message: sealed)
    }

    /// Whether it is a line under this key; costs one hash.
    package func recognises(_ body: SealedBody, by author: PeerID) -> Bool {
        SecretBytes(copying: tag(author, body.tagKey)).matches(body.tag)
    }

    /// - Returns: the text, padded.
    /// - Throws: `decryptionFailed`
    package func open(_ body: SealedBody, by author: PeerID) throws(CryptoError) -> [UInt8] {
        guard recognises(body, by: author) else { throw .decryptionFailed }
        let text = Sodium.open(
            key: lineKey(body.tagKey, body.messageKey), nonce: Self.nonce,
            authenticating: author.key.bytes + body.tagKey.bytes + body.tag, body.message)
        guard let text else { throw .decryptionFailed }
        return text
    }

    /// The first 24 bytes of HMAC-SHA256 (RFC 2104), the size of a private message's tag.
    private func tag(_ author: PeerID, _ point: Bytes32) -> [UInt8] {
        let hash = Sodium.hmacSHA256(key: tagKey, author.key.bytes + point.bytes, secret: .nothing)
        return (0..<SealedBody.tagBytes).map { hash[$0] }
    }

    private func lineKey(_ tagPoint: Bytes32, _ messagePoint: Bytes32) -> SecretBytes {
        Self.expand(contentKey, Self.lineInfo + tagPoint.bytes + messagePoint.bytes)
    }

    /// Each key encrypts one line, so the nonce may be constant.
    private static var nonce: SecretBytes { SecretBytes(copying: [UInt8](repeating: 0, count: 12)) }

    /// The first step of HKDF-Expand, which is enough for 32 bytes.
    private static func expand(_ key: borrowing SecretBytes, _ info: [UInt8]) -> SecretBytes {
        Sodium.hmacSHA256(key: key, info + [1], secret: .nothing)
    }
}

/// Room keys in the form that is stored: encrypted under a key derived from the identity (XChaCha20-Poly1305; BLAKE2b
/// of `"lattice room key at rest v1"` under the seed), each bound to its id.
package final class RoomKeySafe: Sendable {
    private static let restContext = Array("lattice room key at rest v1".utf8)
    private let restKey: SecretBytes

    package init(_ identity: Identity) {
        restKey = Sodium.blake2b256(key: identity.seed(), Self.restContext)
    }

    /// - Returns: `nonce:24 secret:32 tag:16`
    package func sealed(_ key: RoomKey) -> [UInt8] {
        Sodium.sealWhole(
            key: restKey, authenticating: key.id.bytes, secret: SecretBytes(copying: key.exported().bytes))
    }

    /// Encrypts the text of a private message about a key.
    package func sealed(_ text: [UInt8], of id: Bytes32) -> [UInt8] {
        Sodium.sealWhole(key: restKey, authenticating: id.bytes, secret: SecretBytes(copying: text))
    }

    package func text(of id: Bytes32, sealed: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let text = Sodium.openWhole(key: restKey, authenticating: id.bytes, sealed) else {
            throw .decryptionFailed
        }
        return (0..<text.count).map { text[$0] }
    }

    package func key(_ id: Bytes32, sealed: [UInt8]) throws(CryptoError) -> RoomKey {
        guard let secret = Sodium.openWhole(key: restKey, authenticating: id.bytes, sealed),
            secret.count == RoomKey.secretBytes
        else { throw .decryptionFailed }
        return RoomKey(secret: secret)
    }
}

/// Why a text is not a valid room key; says what would be, and never repeats the text.
package enum RoomKeyError: Error, Equatable {
    package static let typedBytesMin = 8
    package static let typedBytesMax = 1_024

    case tooShort(bytes: Int)
    case tooLong(bytes: Int)
    case noMemory
}

extension SecretBytes {
    fileprivate static var nothing: SecretBytes { SecretBytes(copying: []) }

    /// Members know the id, and it is stored.
    fileprivate var octetsOfWhatIsPublic: [UInt8] { (0..<count).map { self[$0] } }
}
