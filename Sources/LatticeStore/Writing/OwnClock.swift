import GRDB
import LatticeCore

/// The newest date of any own record, or of others' that the owner has seen, stored in the file. So dates grow across
/// processes, a like after an unlike is newer whatever the wall clock did, and an answer sorts after what it answers (hybrid
/// logical clock; Kulkarni et al. 2014).
enum OwnClock {
    /// Seven days: dates of others that are further ahead do not advance this clock.
    static let aheadMax: Int64 = 604_800_000

    /// From the last filing, or from unfiled rows.
    static func last(of owner: PeerID, in database: Database) throws -> UInt64 {
        let filed = try database.one("SELECT clock FROM ledger", []) { UInt64(bitPattern: $0.int(0)) } ?? 0
        let newest =
            try database.one(
                """
                SELECT max(created) FROM record WHERE \(Schema.unfiled)
                  AND ((created >> 16) + 140737488355328 <= date + ? OR author = (SELECT peer.seq FROM peer WHERE key = ?))
                """, [.int(aheadMax), .key(owner.key)]
            ) { $0.optionalInt(0) } ?? nil
        return max(filed, newest.map { HybridTime(column: $0).rawValue } ?? 0)
    }
}
