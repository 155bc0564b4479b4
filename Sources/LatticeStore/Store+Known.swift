import Foundation
import GRDB
package import LatticeCore

// What is here already.
extension Store {
    /// - Returns: those of `ids` that are here, erased ones included.
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

    /// What somebody says they are called; `nil` where no profile of theirs is here.
    package func profileName(of peer: PeerID) async throws(StoreError) -> String? {
        try await read { database in
            try String.fetchOne(
                database, sql: "SELECT name FROM profile WHERE peer = (SELECT seq FROM peer WHERE key = ?)",
                arguments: [Data(peer.key.bytes)])
        }
    }
}
