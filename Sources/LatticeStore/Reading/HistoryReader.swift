import GRDB
package import LatticeCore
package import LatticeWire

package struct StoredLine: Hashable, Sendable {
    package let record: SignedRecord
    /// Of its newest edit, or its own.
    package let body: [UInt8]
    package let id: RecordID
    /// When it was said, or first seen if that was earlier.
    package let date: WallTime
}

extension StoredLine {
    fileprivate static let columns = """
        id, date, bytes, (
          SELECT edit.bytes FROM record edit
          WHERE edit.topic = record.id AND edit.kind = 10 AND edit.kind IN (10, 11)
          ORDER BY edit.created DESC, edit.id DESC LIMIT 1)
        """

    fileprivate init(_ row: borrowing RawStatement) throws {
        guard let hash = row.bytes32(0) else { throw DatabaseError.damaged("a line has no id") }
        id = RecordID(hash)
        date = WallTime(milliseconds: row.int(1))
        record = try Batch.signed(row.bytes(2))
        let edit = row.bytes(3)
        body = edit.isEmpty ? record.record.body : try Batch.signed(edit).record.body
    }
}

/// Public lines of rooms.
package struct HistoryReader: Sendable {
    let access: PersonaAccess

    /// Limit of lines in an answer: a megabyte or more of typed text.
    package static let linesMax = 1_000

    /// The last lines of a room in the order that everybody sees: by hybrid time, so that an answer follows what it answers. A
    /// line dated more than seven days ahead of when it was first seen is placed where it was first seen.
    ///
    /// - Parameters:
    /// - before: a stored or erased line; if it is no longer stored, nothing precedes it.
    ///   - limit: at most `linesMax`.
    /// - now: expired lines are left out, and those of authors whom this persona blocks.
    /// - Returns: the last lines, oldest first, and whether there are older ones.
    package func lines(
        of topic: [UInt8], before: RecordID? = nil, limit: Int, at now: WallTime
    ) async throws(StoreError) -> (lines: [StoredLine], hasMore: Bool) {
        let limit = min(max(limit, 0), Self.linesMax)
        let person = access.person
        return try await access.read { database in
            guard let end = try Turn(before, in: topic, database) else { return ([], false) }
            let newestFirst = try database.all(
                """
                SELECT \(StoredLine.columns) FROM record INDEXED BY record_history
                WHERE topic = ? AND (turn, id) < (?, ?) AND expires > ? AND kind = 1 AND erased = 0
                  AND author NOT IN (SELECT seq FROM peer WHERE key IN (\(ContactTable.blockedPeers)))
                ORDER BY turn DESC, id DESC LIMIT ?
                """,
                [
                    .bytes(topic), .int(end.turn), .bytes(end.id), .int(now.milliseconds), person,
                    .int(Int64(limit + 1)),
                ]
            ) { try StoredLine($0) }
            return (newestFirst.prefix(limit).reversed(), newestFirst.count > limit)
        }
    }
}

/// The position of a line in its conversation.
private struct Turn {
    let turn: Int64
    let id: [UInt8]

    /// - Returns: the end for no line; `nil` if the line is not stored.
    init?(_ line: RecordID?, in topic: [UInt8], _ database: Database) throws {
        guard let line else {
            (turn, id) = (.max, [UInt8](repeating: 0xFF, count: 33))
            return
        }
        let found = try database.one(
            "SELECT turn FROM record WHERE id = ? AND topic = ? AND kind = 1", [.key(line.hash), .bytes(topic)]
        ) { $0.int(0) }
        guard let found else { return nil }
        (turn, id) = (found, line.hash.bytes)
    }
}
