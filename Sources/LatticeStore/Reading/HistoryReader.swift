import GRDB
package import LatticeCore
import LatticeWire

/// A line of a public room as it is now.
package struct StoredLine: Hashable, Sendable {
    package let id: RecordID
    package let author: PeerID
    /// The room.
    package let topic: [UInt8]
    /// When it was said, or first seen if that was earlier.
    package let date: WallTime
    package let expires: WallTime
    /// Of its newest edit, or its own; `nil` if the author deleted it.
    package let body: [UInt8]?
    package let isEdited: Bool
    /// It was urgent when it came.
    package let isUrgent: Bool
    /// How it came into this store.
    package let via: RecordCarrier
    /// In the order in which they were first given.
    package fileprivate(set) var reactions: [StoredReaction] = []
}

/// An emoji on a line, and who gave it.
package struct StoredReaction: Hashable, Sendable {
    package let emoji: String
    /// The first one first.
    package var authors: [PeerID]

    package init(emoji: String, authors: [PeerID]) {
        (self.emoji, self.authors) = (emoji, authors)
    }

    /// - Parameter rows: an emoji and who gave it, in the order in which they were given.
    static func grouped(_ rows: [(emoji: String, author: PeerID?)]) -> [StoredReaction] {
        var found: [StoredReaction] = []
        for case (let emoji, let author?) in rows {
            if let index = found.firstIndex(where: { $0.emoji == emoji }) {
                found[index].authors.append(author)
            } else {
                found.append(StoredReaction(emoji: emoji, authors: [author]))
            }
        }
        return found
    }
}

extension StoredLine {
    static let columns = """
        id, date, (SELECT key FROM peer WHERE seq = record.author), topic, erased, expires, bytes, (
          SELECT edit.bytes FROM record edit
          WHERE edit.topic = record.id AND edit.kind = 10 AND edit.kind IN (10, 11)
          ORDER BY edit.created DESC, edit.id DESC LIMIT 1), \(UrgentTable.isUrgent("record.id")), via
        """

    init(_ row: borrowing RawStatement) throws {
        guard let hash = row.bytes32(0), let author = row.bytes32(2) else {
            throw DatabaseError.damaged("a line has no id or author")
        }
        id = RecordID(hash)
        self.author = PeerID(author)
        date = WallTime(milliseconds: row.int(1))
        topic = row.bytes(3)
        expires = WallTime(milliseconds: row.int(5))
        isUrgent = row.int(8) == 1
        via = RecordCarrier(rawValue: row.int(9)) ?? .other
        guard row.int(4) == 0 else {
            (body, isEdited) = (nil, false)
            return
        }
        let edit = row.bytes(7)
        isEdited = !edit.isEmpty
        body = try Batch.signed(isEdited ? edit : row.bytes(6)).record.body
    }

    /// A signed record may be no chat line; it is kept for peers that can read it.
    var isReadable: Bool {
        guard let body else { return true }
        do {
            _ = try ChatLine(decoding: body)
            return true
        } catch {
            return false
        }
    }
}

/// Public lines of rooms.
package struct HistoryReader: Sendable {
    let access: PersonaAccess

    /// Limit of lines in an answer: a megabyte or more of typed text.
    package static let linesMax = 1_000
    /// Limit of emoji on one line that are looked at, and of people who gave them.
    static let reactionsMax = 256
    /// Lines of one room that are looked at to find the last one that counts.
    package static let examinedMax = 256

    /// The last lines of a room in the order that everybody sees: by hybrid time, so that an answer follows what it answers. A
    /// line dated more than seven days ahead of when it was first seen is placed where it was first seen.
    ///
    /// - Parameters:
    /// - before: a stored or erased line; if it is no longer stored, nothing precedes it.
    ///   - limit: at most `linesMax`.
    /// - now: expired lines are left out, and lines and reactions of authors whom this persona blocks. Deleted lines are not:
    ///     a conversation shows where they stood.
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
                WHERE topic = ? AND (turn, id) < (?, ?) AND expires > ? AND kind = 1
                  AND author NOT IN (SELECT seq FROM peer WHERE key IN (\(ContactTable.blockedPeers)))
                ORDER BY turn DESC, id DESC LIMIT ?
                """,
                [
                    .bytes(topic), .int(end.turn), .bytes(end.id), .int(now.milliseconds), person,
                    .int(Int64(limit + 1)),
                ]
            ) { try StoredLine($0) }
            let lines = try Self.withReactions(newestFirst.prefix(limit).reversed(), for: person, in: database)
            return (lines, newestFirst.count > limit)
        }
    }

    /// The first lines of a room after one, oldest first.
    ///
    /// - Parameter limit: at most `linesMax`.
    package func lines(
        of topic: [UInt8], after line: RecordID, limit: Int, at now: WallTime
    ) async throws(StoreError) -> [StoredLine] {
        let limit = min(max(limit, 0), Self.linesMax)
        let person = access.person
        return try await access.read { database in
            guard let start = try Turn(line, in: topic, database) else { return [] }
            let found = try database.all(
                """
                SELECT \(StoredLine.columns) FROM record INDEXED BY record_history
                WHERE topic = ? AND (turn, id) > (?, ?) AND expires > ? AND kind = 1
                  AND author NOT IN (SELECT seq FROM peer WHERE key IN (\(ContactTable.blockedPeers)))
                ORDER BY turn, id LIMIT ?
                """,
                [
                    .bytes(topic), .int(start.turn), .bytes(start.id), .int(now.milliseconds), person,
                    .int(Int64(limit)),
                ]
            ) { try StoredLine($0) }
            return try Self.withReactions(found, for: person, in: database)
        }
    }

    /// The last line of each room.
    ///
    /// - Parameters:
    ///   - authors: their lines are passed over.
    ///   - now: expired lines are passed over; deleted ones are not.
    /// - Returns: in the order of `topics`; `nil` if none of the last `examinedMax` lines remains. Without reactions.
    package func lastLines(
        of topics: [[UInt8]], except authors: Set<PeerID>, at now: WallTime
    ) async throws(StoreError) -> [StoredLine?] {
        try await access.read { database in
            try topics.map { topic in
                var last: StoredLine?
                try database.each(
                    """
                    SELECT \(StoredLine.columns) FROM record INDEXED BY record_history
                    WHERE topic = ? AND kind = 1 ORDER BY turn DESC, id DESC LIMIT ?
                    """, [.bytes(topic), .int(Int64(Self.examinedMax))]
                ) { row in
                    let line = try StoredLine(row)
                    guard !authors.contains(line.author), line.expires > now, line.isReadable else { return true }
                    last = line
                    return false
                }
                return last
            }
        }
    }

    /// - Parameter ids: at most `linesMax`; what is no line that is stored, or has expired, is left out.
    package func lines(_ ids: [RecordID], at now: WallTime) async throws(StoreError) -> [StoredLine] {
        let person = access.person
        return try await access.read { database in
            let found = try ids.prefix(Self.linesMax).compactMap { id in
                try database.one(
                    "SELECT \(StoredLine.columns) FROM record WHERE id = ? AND kind = 1 AND expires > ?",
                    [.key(id.hash), .int(now.milliseconds)]
                ) { try StoredLine($0) }
            }
            return try Self.withReactions(found, for: person, in: database)
        }
    }

    private static func withReactions(
        _ lines: [StoredLine], for person: Bound, in database: Database
    ) throws -> [StoredLine] {
        let areAny = try database.one("SELECT EXISTS (SELECT 1 FROM emoji)", []) { $0.int(0) == 1 } ?? false
        guard areAny else { return lines }
        return try lines.map { line in
            guard line.body != nil else { return line }
            var line = line
            line.reactions = try reactions(to: line.id, for: person, in: database)
            return line
        }
    }

    private static func reactions(
        to line: RecordID, for person: Bound, in database: Database
    ) throws -> [StoredReaction] {
        let rows = try database.all(
            """
            SELECT emoji.emoji, peer.key FROM emoji JOIN peer ON peer.seq = emoji.author
            WHERE target = ? AND peer.key NOT IN (\(ContactTable.blockedPeers)) ORDER BY created, peer.key LIMIT ?
            """, [.key(line.hash), person, .int(Int64(reactionsMax))]
        ) { (emoji: $0.text(0), author: $0.bytes32(1).map(PeerID.init)) }
        return StoredReaction.grouped(rows)
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
