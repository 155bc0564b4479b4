import LatticeCore
import LatticeWire

/// Checks records one after another, in room that is used again: what a signature covers is not how a record travels,
/// and to lay that out in fresh memory for every record is wasted on an import of a million.
struct VerificationBuffer {
    /// The context, then the bytes of the record that is being checked.
    private var message = Record.signatureContext
    private var key: [UInt8] = []

    /// Checks the signature and names the record by its hash.
    mutating func verify(_ signed: SignedRecord) throws(CryptoError) -> VerifiedRecord {
        let bytes = signed.bytes
        message.removeSubrange(Record.signatureContext.count...)
        message.append(contentsOf: bytes.dropLast(Record.signatureBytes))
        key.removeAll(keepingCapacity: true)
        signed.record.author.key.append(to: &key)
        guard Sodium.isSigned(message, signature: signed.signature, publicKey: key) else { throw .badSignature }
        return VerifiedRecord(assumingVerified: signed, id: RecordID(Digest.blake2b256(bytes)))
    }
}
