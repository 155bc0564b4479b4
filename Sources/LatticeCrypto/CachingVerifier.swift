import LatticeCore
package import LatticeWire
import Synchronization

/// Checks records and remembers which it has checked: in a mesh the same record comes from every neighbour, and a hash
/// costs a hundredth of a signature.
///
/// The id covers all bytes, the signature included, so what was right once is right again.
package final class CachingVerifier: Sendable {
    /// 32 bytes and their bookkeeping each: under 2 MB.
    private static let countMax = 16_384
    private let verified = Mutex(RecentSet<RecordID>(countMax: countMax))

    package init() {}

    package func verify(_ signed: SignedRecord) throws(CryptoError) -> VerifiedRecord {
        let id = RecordID(Digest.blake2b256(signed.bytes))
        if verified.withLock({ $0.contains(id) }) { return VerifiedRecord(assumingVerified: signed, id: id) }
        let record = try RecordVerifier.verify(signed)
        verified.withLock { _ = $0.insert(id) }
        return record
    }
}
