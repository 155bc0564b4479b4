package import LatticeCore
package import LatticeWire

/// The Ed25519 key of a peer or persona. It can sign and be written to its key file, and nothing else.
package final class Identity: Sendable {
    package let peer: PeerID
    /// Seed, then public key: libsodium's format.
    private let signingKey: SecretBytes

    /// - Parameters:
    ///   - seed: 32 bytes (RFC 8032 section 5.1.5).
    ///   - isGuarded: whether the key is kept out of swap and core dumps: for the identity of the program's owner.
    package init(seed: consuming SecretBytes, isGuarded: Bool = false) {
        let key = Sodium.signingKey(seed: seed)
        signingKey = isGuarded ? key.guarded() : key
        peer = PeerID(bytes32(Sodium.publicKey(signingKey: signingKey)))
    }

    package static func generate(isGuarded: Bool = false) -> Identity {
        Identity(seed: .random(32), isGuarded: isGuarded)
    }

    /// The kind of memory that holds the secret.
    package var memory: SecretBytes.Memory { signingKey.memory }

    /// Signs an own record: Ed25519 over `Record.signatureContext` ‖ its bytes.
    package func sign(_ record: Record) -> VerifiedRecord {
        precondition(record.author == peer, "a record is signed by its author")
        let signed = SignedRecord(record) {
            Sodium.appendSignature(to: &$0, context: Record.signatureContext, signingKey: signingKey)
        }
        return VerifiedRecord(assumingVerified: signed, id: RecordID(Digest.blake2b256(signed.bytes)))
    }

    /// Ed25519 over `context` ‖ `message`. The context names what is signed, so that a signature cannot be used for
    /// anything else.
    package func sign(context: [UInt8], _ message: [UInt8]) -> [UInt8] {
        Sodium.sign(context + message, signingKey: signingKey)
    }

    /// Only for the key file: the 32 bytes that determine everything else.
    func seed() -> SecretBytes {
        signingKey.part(0..<32)
    }
}
