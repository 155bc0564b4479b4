package import LatticeCore
import Synchronization

/// Authors that the owner blocks. The list is stored with known people, across meshes, and passed to each store that opens.
final class BlockedAuthors: Sendable {
    private let keys = Mutex<Set<PeerID>>([])

    var authors: Set<PeerID> { keys.withLock { $0 } }

    func set(_ authors: Set<PeerID>) {
        keys.withLock { $0 = authors }
    }
}

extension Store {
    package var blockedAuthors: Set<PeerID> { blocked.authors }

    /// From now on no records of these authors are accepted. Stored ones stay until `removeBlocked`; the owner is never
    /// blocked.
    package func setBlocked(_ authors: Set<PeerID>) {
        blocked.set(authors.subtracting([owner]))
    }

    /// Removes stored records of blocked authors, at most `expirePortion` of them.
    ///
    /// - Returns: the number removed; 0 if none is left.
    package func removeBlocked(at wall: WallTime) async throws(StoreError) -> Int {
        let authors = blocked.authors.sorted()
        guard !authors.isEmpty else { return 0 }
        let found = try await read { database in
            var found: [Int64] = []
            for author in authors where found.count < Store.expirePortion {
                guard let number = try database.seq(of: author) else { continue }
                found += try database.all(
                    """
                    SELECT seq FROM record WHERE filed = 1 AND author = ?1
                    UNION ALL SELECT seq FROM record WHERE \(Schema.unfiled) AND author = ?1 LIMIT ?2
                    """,
                    [.int(number), .int(Int64(Store.expirePortion - found.count))]
                ) { $0.int(0) }
            }
            return found
        }
        guard !found.isEmpty else { return 0 }
        return try await writer.commit { transaction in
            let database = transaction.database
            let batch = transaction.batch(at: wall)
            let before = try database.one("SELECT max(number) FROM removal", []) { $0.int(0) } ?? 0
            var removed = 0
            for seq in found {
                // Read again: an earlier removal may have included it.
                guard let row = try batch.row(at: seq) else { continue }
                try batch.remove(row)
                removed += 1
            }
            try database.run("UPDATE removal SET may_return = 1 WHERE number > ?", [.int(before)])
            try transaction.finish()
            return removed
        }
    }
}
