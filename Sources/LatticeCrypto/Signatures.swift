package import LatticeCore
package import LatticeWire

/// Verifies a stranger's record, or rejects it.
package enum RecordVerifier {
    /// Checks the signature, and computes the id from the hash.
    package static func verify(_ signed: SignedRecord) throws(CryptoError) -> VerifiedRecord {
        try verify(signed, id: RecordID(Digest.blake2b256(signed.bytes)))
    }

    static func verify(_ signed: SignedRecord, id: RecordID) throws(CryptoError) -> VerifiedRecord {
        let isSigned = Sodium.isSignedAtEnd(
            signed.bytes, context: Record.signatureContext, publicKey: signed.record.author.key)
        guard isSigned else { throw .badSignature }
        return VerifiedRecord(assumingVerified: signed, id: id)
    }
}

/// Checks signatures over anything but records.
package enum SignatureVerifier {
    /// Checks that `peer` signed `context` ‖ `message`. Like libsodium, it refuses keys and points of small order and
    /// non-canonical encodings.
    package static func verify(
        _ signature: [UInt8], by peer: PeerID, context: [UInt8], _ message: [UInt8]
    ) throws(CryptoError) {
        let isSigned = Sodium.isSigned(context + message, signature: signature, publicKey: peer.key.bytes)
        guard isSigned else { throw .badSignature }
    }
}
