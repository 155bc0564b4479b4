package import LatticeCore
package import LatticeWire

// People who speak through somebody's node with keys of their own: what makes their keys, and the node's word for them.
extension Identity {
    /// A resident's seed is BLAKE2b-256 of this ‖ the account's bytes, under the node's seed as key (RFC 7693 section 2.9).
    private static let residentContext = Array("lattice resident v1".utf8)

    /// The key of whoever has this account: always the same, and of use to find out neither this key nor another resident's.
    package func resident(of account: [UInt8]) -> Identity {
        Identity(seed: Sodium.blake2b256(key: seed(), Self.residentContext + account))
    }

    /// The word of this node that somebody speaks through it: the body of their `residence` record.
    package func vouch(for resident: PeerID) -> ResidenceBody {
        ResidenceBody(signature: sign(context: ResidenceBody.signatureContext, resident.key.bytes))
    }
}

extension ResidenceBody {
    /// Through whose node its author speaks, by that node's own word.
    ///
    /// - Parameter record: signed by the resident already.
    /// - Throws: `WireError` for what is no residence, `CryptoError` for one that its node did not sign.
    package static func host(of record: VerifiedRecord) throws -> PeerID {
        let body = try ResidenceBody(decoding: record.record.body)
        let host = try ResidenceBody.host(naming: record.record.topic)
        try SignatureVerifier.verify(
            body.signature, by: host, context: ResidenceBody.signatureContext, record.author.key.bytes)
        return host
    }
}
