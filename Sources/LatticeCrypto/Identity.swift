package import LatticeCore
package import LatticeWire

/// Somebody's Ed25519 key: what signs for a peer. It can sign, and it can be written to its key file; nothing else.
package final class Identity: Sendable {
    package let peer: PeerID
    /// Seed, then public key, as libsodium signs.
    private let signingKey: SecretBytes

    /// - Parameters:
    ///   - seed: the 32 bytes of RFC 8032 section 5.1.5.
    ///   - isGuarded: whether the key is kept out of swap and core dumps: for the one that the program is run with.
    package init(seed: consuming SecretBytes, isGuarded: Bool = false) {
        let key = Sodium.signingKey(seed: seed)
        signingKey = isGuarded ? key.guarded() : key
        peer = PeerID(bytes32(Sodium.publicKey(signingKey: signingKey)))
    }

    package static func generate(isGuarded: Bool = false) -> Identity {
        Identity(seed: .random(32), isGuarded: isGuarded)
    }

    /// Where the secret is.
    package var memory: SecretBytes.Memory { signingKey.memory }

    /// Signs a record of one's own: Ed25519 over `Record.signatureContext` ‖ its bytes.
    package func sign(_ record: Record) -> VerifiedRecord {
        precondition(record.author == peer, "a record is signed by its author")
        let signed = SignedRecord(record) {
            Sodium.appendSignature(to: &$0, context: Record.signatureContext, signingKey: signingKey)
        }
        return VerifiedRecord(assumingVerified: signed, id: RecordID(Digest.blake2b256(signed.bytes)))
    }

    /// Ed25519 over `context` ‖ `message`. The context says what is signed, so that no signature can stand for another.
    package func sign(context: [UInt8], _ message: [UInt8]) -> [UInt8] {
        Sodium.sign(context + message, signingKey: signingKey)
    }

    /// For the key file alone: the 32 bytes from which everything else follows.
    func seed() -> SecretBytes {
        signingKey.part(0..<32)
    }
}
