package import LatticeCore

/// An X25519 key pair (RFC 7748): the static key of one run of the program, or the ephemeral key of one handshake.
package final class AgreementKey: Sendable {
    package let publicKey: Bytes32
    private let secret: SecretBytes

    /// - Parameter isGuarded: whether the secret is kept out of swap and core dumps: for one that lasts as long as the program.
    package init(secret: consuming SecretBytes, isGuarded: Bool = false) {
        publicKey = bytes32(Sodium.x25519PublicKey(of: secret))
        self.secret = isGuarded ? secret.guarded() : secret
    }

    package static func generate(isGuarded: Bool = false) -> AgreementKey {
        AgreementKey(secret: .random(32), isGuarded: isGuarded)
    }

    /// The kind of memory that holds the secret.
    package var memory: SecretBytes.Memory { secret.memory }

    /// `DH(key_pair, public_key)` of Noise section 4.1. Throws for a point of low order, which would make the shared
    /// key public.
    package func agree(with point: Bytes32) throws(CryptoError) -> SecretBytes {
        guard let shared = Sodium.x25519(secret, point.bytes) else { throw .lowOrderKey }
        return shared
    }
}
