import GRDB
package import LatticeCore
import LatticeWire

/// Queries that tell which items have changed.
extension Store {
    /// Which of these are stored posts, comments or events, erased or not, and the item that each comment is about.
    package func parents(of ids: [RecordID]) async throws(StoreError) -> [RecordID: RecordID?] {
        if ids.isEmpty { return [:] }
        return try await read { database in
            let statement = try RawStatement(
                database, "SELECT item.parent FROM record JOIN item ON item.record = record.seq WHERE record.id = ?1")
            var parents: [RecordID: RecordID?] = [:]
            for id in ids {
                try statement.bind(id.hash, at: 1)
                if let parent = try statement.first({ row in row.bytes32(0).map { RecordID($0) } }) {
                    parents[id] = .some(parent)
                }
            }
            return parents
        }
    }

    /// The `seq` of the newest record in the outbox.
    package func newestWaiting() async throws(StoreError) -> Int64? {
        try await read { database in
            try database.one("SELECT max(record) FROM outbox", []) { $0.optionalInt(0) } ?? nil
        }
    }
}
