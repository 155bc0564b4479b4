import DequeModule
import LatticeWire

/// Records that were heard and are not stored yet. When it is full the newest are lost, and counted.
struct KeepQueue {
    /// As much as a slow disk is behind; beyond it something is wrong with the disk.
    private static let bytesMax = 16 << 20
    private static let batchMax = 1_000
    /// What a record takes in memory besides its bytes, which it holds twice; a guess on the safe side.
    private static let overheadBytes = 512

    private var records: Deque<VerifiedRecord> = []
    private var bytes = 0
    private var lost = 0

    var isEmpty: Bool { records.isEmpty }
    var wasFull: Bool { lost > 0 }

    /// - Returns: whether there was room.
    mutating func add(_ record: VerifiedRecord) -> Bool {
        let size = Self.size(of: record)
        guard bytes + size <= Self.bytesMax else {
            lost += 1
            return false
        }
        records.append(record)
        bytes += size
        return true
    }

    mutating func take() -> [VerifiedRecord] {
        let batch = Array(records.prefix(Self.batchMax))
        records.removeFirst(batch.count)
        bytes -= batch.reduce(0) { $0 + Self.size(of: $1) }
        return batch
    }

    /// Those that were taken and could not be stored, before what came since.
    mutating func putBack(_ batch: [VerifiedRecord]) {
        records.prepend(contentsOf: batch)
        bytes += batch.reduce(0) { $0 + Self.size(of: $1) }
    }

    private static func size(of record: VerifiedRecord) -> Int {
        record.signed.bytes.count + overheadBytes
    }

    /// How many were lost since this was asked last.
    mutating func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }
}
