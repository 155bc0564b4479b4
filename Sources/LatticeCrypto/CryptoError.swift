/// Why a stranger's keys, signatures or encrypted bytes are invalid.
package enum CryptoError: Error, Equatable, CustomStringConvertible {
    /// The bytes were not signed by the key they name, or were changed since.
    case badSignature
    /// An X25519 key of low order, which makes the shared secret public (RFC 7748 section 6.1).
    case lowOrderKey
    /// Sealed with another key, out of its order, or changed on the way.
    case decryptionFailed

    package var description: String {
        switch self {
        case .badSignature: "the signature does not belong to these bytes and this key"
        case .lowOrderKey: "the key agreement would not be secret: the other side's key has a low order"
        case .decryptionFailed: "a sealed message does not open with the key and number it should have"
        }
    }
}
