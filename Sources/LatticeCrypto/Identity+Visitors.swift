package import LatticeCore
package import LatticeWire

// Personas that speak through a node with keys of their own: derives their keys, and signs the node's consent.
extension Identity {
    /// A persona's seed is BLAKE2b-256 of this ‖ the account's bytes, with the node's seed as key (RFC 7693 section
    /// 2.9).
    private static let visitorContext = Array("lattice resident v1".utf8)

    /// The persona of this account: always the same one. Its key reveals neither the node's key nor another persona's.
    package func visitor(of account: [UInt8]) -> Identity {
        Identity(seed: Sodium.blake2b256(key: seed(), Self.visitorContext + account))
    }

    /// The key of a persona that came from elsewhere, in the form that is stored: encrypted under a key derived from this
    /// one (XChaCha20-Poly1305; BLAKE2b of `"lattice visitor key at rest v1"` under the seed), bound to its account.
    ///
    /// - Returns: `nonce:24 seed:32 tag:16`
    package func sealed(_ visitor: Identity, of account: [UInt8]) -> [UInt8] {
        Sodium.sealWhole(key: restKey, authenticating: account, secret: visitor.seed())
    }

    package func visitor(of account: [UInt8], sealed: [UInt8]) throws(CryptoError) -> Identity {
        guard let seed = Sodium.openWhole(key: restKey, authenticating: account, sealed), seed.count == 32 else {
            throw .decryptionFailed
        }
        return Identity(seed: seed)
    }

    private var restKey: SecretBytes {
        Sodium.blake2b256(key: seed(), Array("lattice visitor key at rest v1".utf8))
    }

    /// This node's consent that `visitor` is its persona: the body of their `residence` record.
    package func vouch(for visitor: PeerID) -> ResidenceBody {
        ResidenceBody(signature: sign(context: ResidenceBody.signatureContext, visitor.key.bytes))
    }
}

extension ResidenceBody {
    /// The node that the author is a persona of, with that node's signature checked.
    ///
    /// - Parameter record: verified, so signed by the persona.
    /// - Throws: `WireError` if it is no residence, `CryptoError` if the node did not sign it.
    package static func host(of record: VerifiedRecord) throws -> PeerID {
        let body = try ResidenceBody(decoding: record.record.body)
        let host = try ResidenceBody.host(naming: record.record.topic)
        try SignatureVerifier.verify(
            body.signature, by: host, context: ResidenceBody.signatureContext, record.author.key.bytes)
        return host
    }
}
