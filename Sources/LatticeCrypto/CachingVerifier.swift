import LatticeCore
package import LatticeWire
import Synchronization

/// Checks records and remembers which it has checked: in a mesh the same record comes from every neighbour, and a hash
/// costs a hundredth of a signature.
///
/// The id covers all bytes, the signature included, so what was right once is right again.
package final class CachingVerifier: Sendable {
    /// So few are checked where they came: to hand them out takes about as long as to check one.
    package static let inTurnMax = 2
    /// Half a millisecond of work: as much as comes in one message is a few of these.
    private static let portion = 16
    private let checked = Mutex(CheckedRecords())

    package init() {}

    package func verify(_ signed: SignedRecord) throws(CryptoError) -> VerifiedRecord {
        let id = RecordID(Digest.blake2b256(signed.bytes))
        if checked.withLock({ $0.contains(id) }) { return VerifiedRecord(assumingVerified: signed, id: id) }
        let record = try RecordVerifier.verify(signed, id: id)
        checked.withLock { $0.insert(id) }
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

    package func judge(_ signed: SignedRecord) -> Result<VerifiedRecord, CryptoError> {
        Result { () throws(CryptoError) in try verify(signed) }
    }
}

/// Ids of records that were checked. Each has one place, which follows from its hash, and the next one with that place takes it: to
/// forget one costs no more than a signature, and to keep them in order would cost every record more than its hash.
private struct CheckedRecords {
    /// 32 bytes each, half a MB together, when so many were checked. Powers of two.
    private static let placesMax = 16_384
    private static let placesMin = 256
    private var ids: [RecordID] = []
    /// How many were put in since the places are so many: with as many as places it is time for more.
    private var insertedCount = 0
    /// No record has it: nobody finds bytes with this hash.
    private static let none = RecordID(.zero)

    private func place(of id: RecordID) -> Int {
        Int(truncatingIfNeeded: id.hash.words.3 & UInt64(ids.count - 1))
    }

    func contains(_ id: RecordID) -> Bool {
        !ids.isEmpty && ids[place(of: id)] == id
    }

    mutating func insert(_ id: RecordID) {
        if insertedCount >= ids.count, ids.count < Self.placesMax { grow() }
        ids[place(of: id)] = id
        insertedCount += 1
    }

    private mutating func grow() {
        let known = ids
        ids = Array(repeating: Self.none, count: max(Self.placesMin, known.count * 2))
        for id in known where id != Self.none { ids[place(of: id)] = id }
        insertedCount = 0
    }
}
