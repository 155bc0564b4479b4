import GRDB
package import LatticeCore

/// How many bytes each visitor shared and fetched on the current day.
package struct VisitorDayTable: Sendable {
    let access: PersonaAccess

    /// Runs on the calling thread: one row.
    ///
    /// - Parameter day: days since 1970.
    package func bytes(of visitor: PeerID, on day: Int64) throws(StoreError) -> Int64 {
        try access.file.readInPlace { database in
            try database.all(
                "SELECT bytes FROM visitor_day WHERE person = ? AND day = ?", [.key(visitor.key), .int(day)]
            ) { $0.int(0) }.first ?? 0
        }
    }

    /// Adds to the sum of a day, or subtracts; rows of earlier days are removed.
    package func add(_ count: Int64, of visitor: PeerID, on day: Int64) async throws(StoreError) {
        try await access.commit { transaction in
            try transaction.database.run("DELETE FROM visitor_day WHERE day < ?", [.int(day)])
            try transaction.database.run(
                """
                INSERT INTO visitor_day (person, day, bytes) VALUES (?, ?, max(0, ?))
                ON CONFLICT (person, day) DO UPDATE SET bytes = max(0, bytes + ?)
                """, [.key(visitor.key), .int(day), .int(count), .int(count)])
        }
    }
}
