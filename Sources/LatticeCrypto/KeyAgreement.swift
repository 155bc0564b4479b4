package import LatticeCore

/// An X25519 key pair (RFC 7748): the static key of one start of the program, or the ephemeral one of one handshake.
package final class AgreementKey: Sendable {
    package let publicKey: Bytes32
    private let secret: SecretBytes

    package init(secret: consuming SecretBytes) {
        publicKey = bytes32(Sodium.x25519PublicKey(of: secret))
        self.secret = secret
    }

    package static func generate() -> AgreementKey {
        AgreementKey(secret: .random(32))
    }

    /// `DH(key_pair, public_key)` of Noise section 4.1. A point of low order would make a key that everybody knows.
    package func agree(with point: Bytes32) throws(CryptoError) -> SecretBytes {
        guard let shared = Sodium.x25519(secret, point.bytes) else { throw .lowOrderKey }
        return shared
    }
}
