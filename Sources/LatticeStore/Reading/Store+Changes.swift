import GRDB
package import LatticeCore
import LatticeWire

/// What is asked to tell what is another now.
extension Store {
    /// Which of these are posts, comments or events that are here, taken back or not, and what each comment is about.
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

    /// The `seq` of the last record that was put into the outbox and is there still.
    package func newestWaiting() async throws(StoreError) -> Int64? {
        try await read { database in
            try database.one("SELECT max(record) FROM outbox", []) { $0.optionalInt(0) } ?? nil
        }
    }
}
