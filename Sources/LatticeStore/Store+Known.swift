import Foundation
import GRDB
package import LatticeCore

// Look-ups of stored records.
extension Store {
    /// - Returns: the ids that are stored, including erased records.
    package func known(_ ids: [RecordID]) async throws(StoreError) -> Set<RecordID> {
        try await read { database in
            let statement = try database.cachedStatement(sql: "SELECT 1 FROM record WHERE id = ?")
            var known: Set<RecordID> = []
            for id in ids where try Int.fetchOne(statement, arguments: [Data(id.hash.bytes)]) != nil {
                known.insert(id)
            }
            return known
        }
    }

    /// The name in a peer's profile; `nil` if none is stored.
    package func profileName(of peer: PeerID) async throws(StoreError) -> String? {
        try await read { database in
            try String.fetchOne(
                database, sql: "SELECT name FROM profile WHERE peer = (SELECT seq FROM peer WHERE key = ?)",
                arguments: [Data(peer.key.bytes)])
        }
    }
}
