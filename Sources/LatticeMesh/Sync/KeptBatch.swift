import LatticeCore
import LatticeWire

/// The outcomes of one batch of records, grouped by link.
struct KeptBatch {
    /// By slot: ids that it served, how many of these were new, and how many of all records in the batch it has.
    var ids = [[RecordID]](repeating: [], count: SourceSlot.countMax)
    var addedCounts = [Int](repeating: 0, count: SourceSlot.countMax)
    var sourceCounts = [Int](repeating: 0, count: SourceSlot.countMax)
    /// Groups with new records, each with the bits of the links that have all of those.
    private var newGroups: [(groups: SyncGroups, sources: UInt64)] = []
    var count = 0
    var addedCount = 0
    var failed: [RecordID] = []

    mutating func stored(_ id: RecordID, isNew: Bool, _ arrival: Wanted.Arrival) {
        count += 1
        if isNew {
            addedCount += 1
            if let index = newGroups.firstIndex(where: { $0.groups == arrival.groups }) {
                newGroups[index].sources &= arrival.sources
            } else {
                newGroups.append((arrival.groups, arrival.sources))
            }
        }
        if let slot = arrival.from {
            ids[slot.index].append(id)
            if isNew { addedCounts[slot.index] += 1 }
        }
        var left = arrival.sources
        while left != 0 {
            sourceCounts[left.trailingZeroBitCount] += 1
            left &= left - 1
        }
    }

    /// Groups with new records that this link may lack.
    func news(for slot: SourceSlot) -> SyncGroups {
        newGroups.reduce(into: SyncGroups()) { news, new in
            if new.sources & slot.bit == 0 { news.formUnion(new.groups) }
        }
    }
}
