import GRDB
import LatticeCore

/// The newest date on a record of the owner's or on what they have seen of others', kept in the file: so dates grow from one
/// process to the next, a like made after an unlike is newer whatever the wall clock did, and an answer stands behind what it
/// answers (hybrid logical clock; Kulkarni et al. 2014).
enum OwnClock {
    /// Seven days: others' dates that are further ahead do not carry this clock along.
    static let aheadMax: Int64 = 604_800_000

    /// As of the last filing, or as the rows say that are not filed.
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
