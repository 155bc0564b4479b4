package import LatticeCore
package import LatticeWire

/// Turns what a stranger sent into what its author said, or refuses it.
package enum RecordVerifier {
    /// Checks the signature and names the record by its hash.
    package static func verify(_ signed: SignedRecord) throws(CryptoError) -> VerifiedRecord {
        try verify(signed, id: RecordID(Digest.blake2b256(signed.bytes)))
    }

    /// - Parameter id: its hash.
    static func verify(_ signed: SignedRecord, id: RecordID) throws(CryptoError) -> VerifiedRecord {
        let isSigned = Sodium.isSignedAtEnd(
            signed.bytes, context: Record.signatureContext, publicKey: signed.record.author.key)
        guard isSigned else { throw .badSignature }
        return VerifiedRecord(assumingVerified: signed, id: id)
    }
}

/// Checks signatures over anything but records.
package enum SignatureVerifier {
    /// Whether `peer` signed `context` ‖ `message`. Keys and points of small order and encodings that are not canonical
    /// are refused, as libsodium does.
    package static func verify(
        _ signature: [UInt8], by peer: PeerID, context: [UInt8], _ message: [UInt8]
    ) throws(CryptoError) {
        let isSigned = Sodium.isSigned(context + message, signature: signature, publicKey: peer.key.bytes)
        guard isSigned else { throw .badSignature }
    }
}
