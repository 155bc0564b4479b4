import LatticeCore
package import LatticeWire
import Synchronization

/// Checks records and remembers which it has checked: in a mesh the same record comes from every neighbour, and a hash
/// costs a hundredth of a signature.
///
/// The id covers all bytes, signature included, so a record that was valid once is valid again.
package final class CachingVerifier: Sendable {
    /// Up to this many records are verified on the calling thread: distributing them takes about as long as verifying
    /// one.
    package static let inTurnMax = 2
    /// Half a millisecond of work; one message brings a few portions.
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

    /// Verifies several records at once, on all cores if there are more than a few. Each is judged independently. It
    /// completes even if its task is cancelled.
    ///
    /// - Returns: the result for each, in the order of `records`.
    package func verifyAll(_ records: [SignedRecord]) async -> [Result<VerifiedRecord, CryptoError>] {
        guard records.count > Self.inTurnMax else { return records.map(judge) }
        return await records.judged(inPortionsOf: Self.portion) { self.judge($0) }
    }

    package func judge(_ signed: SignedRecord) -> Result<VerifiedRecord, CryptoError> {
        Result { () throws(CryptoError) in try verify(signed) }
    }
}

/// Ids of verified records. The hash of an id determines its place, and a later id with the same place overwrites it: a
/// forgotten id costs only another verification, while an ordered list would cost every record more than its hash.
private struct CheckedRecords {
    /// 32 bytes each, half a MB at most. Powers of two.
    private static let placesMax = 16_384
    private static let placesMin = 256
    private var ids: [RecordID] = []
    /// Insertions since the last growth; the table grows when they equal its places.
    private var insertedCount = 0
    /// No record has this hash.
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
