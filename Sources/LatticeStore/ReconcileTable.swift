import GRDB
package import LatticeCore
package import LatticeWire

/// A peer that this store reconciled with, and the result.
package struct ComparedPeer: Hashable, Sendable {
    package let peer: PeerID
    package let at: WallTime
    /// Records in total.
    package let gained: Int
    package let given: Int
}

/// What this store tells other peers about itself, and what came of reconciling with them.
package struct ReconcileTable: Sendable {
    let access: PersonaAccess

    /// Limit of remembered peers; more than a node has neighbours.
    package static let comparedPeersMax = 64

    /// What is kept of strangers' records; followed people's may be kept for longer.
    package func keeping(at wallTime: WallTime) async throws(StoreError) -> Keeping {
        try await access.read { database in
            let rule = try StoredRetention.stored(in: database)
            let floors = try Floors(database)
            let chosen = rule.since(at: wallTime.milliseconds).map {
                HybridTime(wallTime: WallTime(milliseconds: Self.hour(after: $0)))
            }
            let groups = SyncScope.Group.allCases.filter { rule.groups?.contains($0) ?? true }
            return Keeping(
                groups.map { group in
                    let floor = group.classes.compactMap { floors.end(of: $0, .strangers)?.date }.max()
                    let since = floor.map { HybridTime(wallTime: WallTime(milliseconds: $0 + 1)) }
                    return Keeping.Entry(group, since: max(since ?? Self.always, chosen ?? Self.always))
                }, rooms: rule.rooms)
        }
    }

    private static let always = HybridTime(rawValue: 0)

    /// Rounds up to the hour, so that the reported date does not change every minute.
    private static func hour(after date: Int64) -> Int64 {
        let hour: Int64 = 3_600_000
        return (max(date, 0) + hour - 1) / hour * hour
    }

    /// The number of records in each group, including erased ones; empty groups are left out.
    package func groupCounts() async throws(StoreError) -> [(group: SyncScope.Group, records: Int)] {
        try await access.read { database in
            let kinds = try database.all("SELECT kind, sum(records) FROM kind_here GROUP BY kind", []) {
                (SyncScope.Group(of: RecordKind(rawValue: UInt64(bitPattern: $0.int(0)))), Int($0.int(1)))
            }
            return SyncScope.Group.allCases.compactMap { group in
                let records = kinds.filter { $0.0 == group }.map(\.1).reduce(0, +)
                return records > 0 ? (group, records) : nil
            }
        }
    }

    /// Notes that this store reconciled with a peer, and how many records each got from the other.
    package func noteCompared(with peer: PeerID, at wallTime: WallTime, gained: Int, given: Int)
        async throws(StoreError)
    {
        try await access.commit { transaction in
            let database = transaction.database
            try database.run(
                """
                INSERT INTO compared (peer, date, gained, given) VALUES (?, ?, ?, ?) ON CONFLICT (peer) DO UPDATE
                SET date = excluded.date, gained = gained + excluded.gained, given = given + excluded.given
                """, [.key(peer.key), .int(wallTime.milliseconds), .int(Int64(gained)), .int(Int64(given))])
            try database.run(
                """
                DELETE FROM compared
                WHERE peer NOT IN (SELECT peer FROM compared ORDER BY date DESC, peer LIMIT ?)
                """, [.int(Int64(Self.comparedPeersMax))])
        }
    }

    /// The latest first.
    package func comparedPeers() async throws(StoreError) -> [ComparedPeer] {
        try await access.read { database in
            try database.all("SELECT peer, date, gained, given FROM compared ORDER BY date DESC, peer", []) { row in
                row.bytes32(0).map {
                    ComparedPeer(
                        peer: PeerID($0), at: WallTime(milliseconds: row.int(1)), gained: Int(row.int(2)),
                        given: Int(row.int(3)))
                }
            }.compactMap { $0 }
        }
    }
}

extension SyncScope.Group {
    /// The classes in which its records are evicted: edits and deletions are in the written class or in the waiting one.
    fileprivate var classes: [RecordRow.Class] {
        switch self {
        case .chat, .posts: [.written]
        case .people: [.done]
        case .changes: [.written, .other]
        case .other: [.other]
        }
    }
}
