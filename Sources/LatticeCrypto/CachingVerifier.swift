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
    /// So few are checked where they came: to hand them out takes about as long as to check one.
    private static let inTurnMax = 2
    /// Half a millisecond of work: as much as comes in one message is a few of these.
    private static let portion = 16
    private let verified = Mutex(RecentSet<RecordID>(countMax: countMax))

    package init() {}

    package func verify(_ signed: SignedRecord) throws(CryptoError) -> VerifiedRecord {
        let id = RecordID(Digest.blake2b256(signed.bytes))
        if verified.withLock({ $0.contains(id) }) { return VerifiedRecord(assumingVerified: signed, id: id) }
        let record = try RecordVerifier.verify(signed, id: id)
        verified.withLock { _ = $0.insert(id) }
        return record
    }

    /// Checks what came at once, on all cores where it is more than a few. Each is judged alone, and to the end even when its task is
    /// cancelled.
    ///
    /// - Returns: what became of each, in the order of `records`.
    package func verifyAll(_ records: [SignedRecord]) async -> [Result<VerifiedRecord, CryptoError>] {
        guard records.count > Self.inTurnMax else { return records.map(judge) }
        return await records.judged(inPortionsOf: Self.portion) { self.judge($0) }
    }

    private func judge(_ signed: SignedRecord) -> Result<VerifiedRecord, CryptoError> {
        Result { () throws(CryptoError) in try verify(signed) }
    }
}
