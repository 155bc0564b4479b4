package import LatticeCore

/// Hybrid public key encryption (RFC 9180), base mode, one message per key: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256,
/// ChaCha20Poly1305.
///
/// Only the recipient can open it; it does not prove who sealed it.
package enum HPKE {
    package struct Sealed: Hashable, Sendable {
        /// `enc`: the public half of a key that was made for this message and is gone.
        package let key: Bytes32
        /// The ciphertext and its tag of 16 bytes.
        package let bytes: [UInt8]

        package init(key: Bytes32, bytes: [UInt8]) {
            self.key = key
            self.bytes = bytes
        }
    }

    /// `SealBase` (section 6.1).
    ///
    /// - Parameters:
    ///   - info: the purpose.
    ///   - data: authenticated but not encrypted.
    ///   - ephemeral: must not be used for anything else; only tests with published vectors pass one.
    /// - Throws: `lowOrderKey`
    package static func seal(
        _ text: [UInt8], to recipient: Bytes32, info: [UInt8], authenticating data: [UInt8],
        ephemeral: AgreementKey = .generate()
    ) throws(CryptoError) -> Sealed {
        let shared = try agree(ephemeral, with: recipient, ephemeral: ephemeral.publicKey, recipient: recipient)
        let schedule = KeySchedule(shared, info: info)
        return Sealed(
            key: ephemeral.publicKey,
            bytes: Sodium.seal(key: schedule.key, nonce: schedule.nonce, authenticating: data, text))
    }

    /// `OpenBase` (section 6.1).
    ///
    /// - Throws: `lowOrderKey`, `decryptionFailed`
    package static func open(
        _ sealed: Sealed, by recipient: AgreementKey, info: [UInt8], authenticating data: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let shared = try agree(recipient, with: sealed.key, ephemeral: sealed.key, recipient: recipient.publicKey)
        let schedule = KeySchedule(shared, info: info)
        let opened = Sodium.open(key: schedule.key, nonce: schedule.nonce, authenticating: data, sealed.bytes)
        guard let opened else { throw .decryptionFailed }
        return opened
    }

    /// `Encap` and `Decap` (section 4.1), which differ in who has which half.
    private static func agree(
        _ own: AgreementKey, with other: Bytes32, ephemeral: Bytes32, recipient: Bytes32
    ) throws(CryptoError) -> SecretBytes {
        let agreed = try own.agree(with: other)
        let labels = Labels(suite: Array("KEM".utf8) + [0x00, 0x20])
        let extracted = labels.extract(salt: .none, "eae_prk", secret: agreed)
        return labels.expand(extracted, "shared_secret", ephemeral.bytes + recipient.bytes, bytes: 32)
    }
}

/// `KeySchedule` (section 5.1) in base mode, for the first message alone: its nonce is `base_nonce`.
private struct KeySchedule: ~Copyable {
    let key: SecretBytes
    let nonce: SecretBytes

    init(_ shared: borrowing SecretBytes, info: [UInt8]) {
        let labels = Labels(suite: Array("HPKE".utf8) + [0x00, 0x20, 0x00, 0x01, 0x00, 0x03])
        let none = SecretBytes.none
        let pskHash = labels.extract(salt: none, "psk_id_hash", secret: none)
        let infoHash = labels.extract(salt: none, "info_hash", secret: SecretBytes(copying: info))
        let context = [0x00] + pskHash.octetsOfAHash + infoHash.octetsOfAHash
        let secret = labels.extract(salt: shared, "secret", secret: none)
        key = labels.expand(secret, "key", context, bytes: 32)
        nonce = labels.expand(secret, "base_nonce", context, bytes: 12)
    }
}

/// `LabeledExtract` and `LabeledExpand` (section 4): HKDF (RFC 5869) with a label before its input.
private struct Labels {
    private static let version = Array("HPKE-v1".utf8)
    let suite: [UInt8]

    func extract(salt: borrowing SecretBytes, _ label: String, secret: borrowing SecretBytes) -> SecretBytes {
        Sodium.hmacSHA256(key: salt, Self.version + suite + Array(label.utf8), secret: secret)
    }

    /// - Parameter count: 32 at most, which is one step of HKDF-Expand.
    func expand(_ key: borrowing SecretBytes, _ label: String, _ info: [UInt8], bytes count: Int) -> SecretBytes {
        precondition((1...32).contains(count), "one step of HKDF makes 32 bytes")
        let labelled = [0, UInt8(count)] + Self.version + suite + Array(label.utf8) + info
        return Sodium.hmacSHA256(key: key, labelled + [1], secret: .none).part(0..<count)
    }
}

extension SecretBytes {
    fileprivate static var none: SecretBytes { SecretBytes(copying: []) }

    /// A hash of public data is not secret.
    fileprivate var octetsOfAHash: [UInt8] { (0..<count).map { self[$0] } }
}
