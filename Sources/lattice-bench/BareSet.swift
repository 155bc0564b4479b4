import CBaseline
import LatticeCore
import LatticeMesh

/// A set in memory for the C routine.
// Safety: C reads memory that this class owns, of the given length, until the set is freed.
final class BareSet {
    private let timestamps: UnsafeMutableBufferPointer<UInt64>
    private let ids: UnsafeMutableBufferPointer<UInt8>
    private let set: OpaquePointer?

    init(_ items: [ReconciliationItem]) {
        timestamps = .allocate(capacity: items.count)
        ids = .allocate(capacity: items.count * 32)
        _ = timestamps.initialize(from: items.map(\.timestamp))
        for (rank, item) in items.enumerated() {
            _ = UnsafeMutableBufferPointer(rebasing: ids[rank * 32..<rank * 32 + 32]).initialize(from: item.id.bytes)
        }
        set = baseline_set_make(timestamps.baseAddress, ids.baseAddress, Int64(items.count))
    }

    deinit {
        baseline_set_free(set)
        timestamps.deallocate()
        ids.deallocate()
    }

    func differences(from other: BareSet) -> baseline_differences {
        baseline_reconcile(set, other.set)
    }
}
