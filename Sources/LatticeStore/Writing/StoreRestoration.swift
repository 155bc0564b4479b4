import GRDB
package import LatticeCore
package import LatticeWire

/// Fills a new store with what could be read of a damaged one.
package struct StoreRestoration: Sendable {
    let access: PersonaAccess

    /// Inserts each record with its original arrival; their order does not matter.
    package func insert(_ arrivals: [(record: VerifiedRecord, at: WallTime)]) async throws(StoreError) {
        try await access.commit { transaction in
            let batch = transaction.batch(at: WallTime(milliseconds: 0))
            for (record, wallTime) in arrivals {
                batch.now = wallTime.milliseconds
                _ = try batch.insert(record)
            }
            try transaction.finish()
        }
    }

    /// Leaves out those that describe the old file: no search of the new one has begun.
    package func set(_ settings: [String: String]) async throws(StoreError) {
        try await access.commit { transaction in
            for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
                switch StoredSettings.Key(rawValue: key) {
                case .epoch, .swept, .aged, .opened, .lineWords, .lineWordsErased: break
                case .keep, .evicted, .expired, .cardSigner, nil:
                    try StoredSettings.set(key, value, in: transaction.database)
                }
            }
        }
    }

    /// Dates new records of the owner's after this. Ignores a date too far ahead, which would move them into the future.
    package func pass(_ date: HybridTime, at wallTime: WallTime) async throws(StoreError) {
        let newest = HybridTime(wallTime: WallTime(milliseconds: wallTime.milliseconds + OwnClock.aheadMax))
        guard date <= newest else { return }
        try await access.commit { $0.state.pass(date) }
    }

    /// Adds own records to the outbox; ignores ids of others.
    package func wait(for ids: [RecordID]) async throws(StoreError) {
        let owner = access.owner.key
        try await access.commit { transaction in
            for id in ids {
                try transaction.database.run(
                    """
                    INSERT OR IGNORE INTO outbox (record) SELECT seq FROM record
                    WHERE id = ? AND erased = 0 AND author = (SELECT seq FROM peer WHERE key = ?)
                    """, [.key(id.hash), .key(owner)])
            }
        }
    }

    /// Records that are not erased.
    package func count() async throws(StoreError) -> Int {
        try await access.read { database in
            try database.one("SELECT count(*) FROM record WHERE erased = 0", []) { Int($0.int(0)) } ?? 0
        }
    }

    /// Those that are neither stored nor deleted.
    package func lost(of ids: Set<RecordID>) async throws(StoreError) -> Set<RecordID> {
        try await access.read { database in
            try ids.filter { id in
                try database.one(
                    "SELECT 1 FROM record WHERE id = ?1 OR (topic = ?1 AND kind = 11)", [.key(id.hash)]
                ) { $0.int(0) } == nil
            }
        }
    }
}
