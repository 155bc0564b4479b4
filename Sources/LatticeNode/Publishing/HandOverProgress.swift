import LatticeCore

/// How far each persona's outbox table was given to the mesh.
///
/// A commit brings the records that it signed. The table is read only for what an earlier run or another process left, and
/// for what the mesh had no space for.
struct HandOverProgress {
    private struct Progress {
        /// Store number up to which everything was given.
        var readUpTo: Int64?
        /// The table may have records that the mesh was not given. At first, what an earlier run left.
        var isBehind = true
        var isReading = false
        /// Something was written since the reading began.
        var isOutdated = false
    }

    private var progress: [PeerID: Progress] = [:]

    /// A record of this persona entered the table.
    ///
    /// - Returns: whether it goes to the mesh now; otherwise it is read from the table later, after older ones.
    mutating func goesOut(by id: PeerID) -> Bool {
        guard isBehind(id) else { return true }
        progress[id, default: Progress()].isOutdated = true
        return false
    }

    func isBehind(_ id: PeerID) -> Bool { progress[id, default: Progress()].isBehind }

    /// The table has something for the mesh.
    mutating func fellBehind(_ id: PeerID) {
        progress[id, default: Progress()].isBehind = true
        progress[id]?.isOutdated = true
    }

    /// - Returns: the store number to read after; `nil` if nothing has to be read, or somebody reads already.
    mutating func beginReading(_ id: PeerID) -> Int64? {
        var now = progress[id, default: Progress()]
        guard now.isBehind, !now.isReading else { return nil }
        (now.isReading, now.isOutdated) = (true, false)
        progress[id] = now
        return now.readUpTo ?? 0
    }

    mutating func gave(_ number: Int64, of id: PeerID) {
        progress[id]?.readUpTo = number
    }

    /// - Parameter isAll: the mesh has everything that the table had when the reading began.
    mutating func endReading(_ id: PeerID, isAll: Bool) {
        guard let now = progress[id] else { return }
        progress[id]?.isReading = false
        progress[id]?.isBehind = !isAll || now.isOutdated
    }

    /// A visit ended. With the next one the store is read again.
    mutating func forget(_ id: PeerID) {
        progress[id] = nil
    }
}
