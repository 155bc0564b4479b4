import GRDB
package import LatticeCore
import LatticeWire

/// A conversation of a persona.
package enum StoredConversation: Hashable, Sendable {
    case publicRoom(RoomName)
    case privateRoom(RoomName)
    case peer(PeerID)
}

/// Texts of lines that arrived after a persona's read position, without its own.
package struct UnreadLines: Hashable, Sendable {
    package var texts: [String] = []
    /// There may be more than these.
    package var hasMore = false
}

/// How far one persona has read.
///
/// A position is a number in the order of arrival. In the order of a conversation a late line stands before lines that were
/// read; it is unread all the same.
package struct ReadPositionTable: Sendable {
    let access: PersonaAccess

    /// Lines that are counted in one conversation.
    package static let linesMax = 1_000
    /// Lines that are looked at in one conversation: own ones and those of others who do not count are skipped.
    static let examinedMax = 4_096
    /// Positions of one persona in conversations of one kind. Beyond it, those go that moved longest ago.
    static let positionsMax = 1_024
    /// Private conversations whose lines are counted.
    private static let peersMax = 1_000

    /// Moves a position forward, never back. It counts lines that were queued to be stored before.
    ///
    /// - Parameter line: a line that is not stored moves nothing; `nil` is the newest one of all.
    /// - Returns: whether the position moved.
    package func mark(_ conversation: StoredConversation, upTo line: RecordID?) async throws(StoreError) -> Bool {
        let person = access.person
        return try await access.file.writer.commit(on: .ingest) { transaction in
            let database = transaction.database
            guard let key = try Key(conversation, of: person, in: database),
                let upTo = try Self.number(of: line, in: key, person, database)
            else { return false }
            let known = try Self.position(key, person, in: database)
            guard upTo > known ?? 0 else { return false }
            try database.run(
                """
                INSERT INTO read_position (person, kind, conversation, upto) VALUES (?, ?, ?, ?)
                ON CONFLICT (person, kind, conversation) DO UPDATE SET upto = excluded.upto
                """, [person, .int(key.kind.rawValue), .bytes(key.conversation), .int(upTo)])
            if known == nil { try Self.trim(key.kind, person, in: database) }
            return true
        }
    }

    /// What arrived in some conversations after this persona last read there.
    ///
    /// - Parameters:
    ///   - authors: others whose lines do not count.
    ///   - now: expired lines do not count.
    /// - Returns: in the order of `conversations`.
    package func unread(
        _ conversations: [StoredConversation], except authors: Set<PeerID>, at now: WallTime
    ) async throws(StoreError) -> [UnreadLines] {
        let (person, me) = (access.person, access.author)
        return try await access.read { database in
            let skipped = try Skipped(authors.union([me]), in: database)
            return try conversations.map { conversation in
                guard let key = try Key(conversation, of: person, in: database) else { return UnreadLines() }
                let position = try Self.position(key, person, in: database) ?? 0
                return try Self.unread(key, after: position, person, except: skipped, at: now, in: database)
            }
        }
    }

    /// People with private messages that arrived after this persona last read, the newest first.
    package func unreadPeers() async throws(StoreError) -> [PeerID] {
        let person = access.person
        return try await access.read { database in
            try database.all(
                """
                SELECT peer FROM (SELECT peer, max(number) AS last FROM message WHERE person = ?1 GROUP BY peer)
                WHERE last > coalesce((
                  SELECT upto FROM read_position WHERE person = ?1 AND kind = 3 AND conversation = peer), 0)
                ORDER BY last DESC LIMIT ?2
                """, [person, .int(Int64(Self.peersMax))]
            ) { $0.bytes32(0) }.compactMap { $0.map(PeerID.init) }
        }
    }

    // MARK: - Positions

    private enum Kind: Int64 {
        case publicRoom = 1
        case privateRoom = 2
        case peer = 3
    }

    /// A conversation as `read_position` names it.
    private struct Key {
        let kind: Kind
        let conversation: [UInt8]
        /// The `room.number` of a private room.
        let room: Int64?

        /// - Returns: `nil` if there is no such private room.
        init?(_ name: StoredConversation, of person: Bound, in database: Database) throws {
            switch name {
            case .publicRoom(let room): (kind, conversation, self.room) = (.publicRoom, Array(room.text.utf8), nil)
            case .peer(let peer): (kind, conversation, room) = (.peer, peer.key.bytes, nil)
            case .privateRoom(let name):
                let found = try database.one(
                    "SELECT number, root FROM room WHERE person = ? AND name = ?", [person, .text(name.text)]
                ) { ($0.int(0), $0.bytes(1)) }
                guard let found else { return nil }
                (kind, conversation, room) = (.privateRoom, found.1, found.0)
            }
        }
    }

    private static func position(_ key: Key, _ person: Bound, in database: Database) throws -> Int64? {
        try database.one(
            "SELECT upto FROM read_position WHERE person = ? AND kind = ? AND conversation = ?",
            [person, .int(key.kind.rawValue), .bytes(key.conversation)]
        ) { $0.int(0) }
    }

    /// - Returns: `nil` if the line is not stored in this conversation, or if there is none.
    private static func number(
        of line: RecordID?, in key: Key, _ person: Bound, _ database: Database
    ) throws -> Int64? {
        guard let line else {
            let newest =
                switch key.kind {
                case .publicRoom: try database.one("SELECT max(seq) FROM record", []) { $0.optionalInt(0) }
                case .privateRoom: try database.one("SELECT max(number) FROM room_line", []) { $0.optionalInt(0) }
                case .peer: try database.one("SELECT max(number) FROM message", []) { $0.optionalInt(0) }
                }
            return newest ?? nil
        }
        return switch key.kind {
        case .publicRoom:
            try database.one(
                "SELECT seq FROM record WHERE id = ? AND topic = ? AND kind = 1",
                [.key(line.hash), .bytes(key.conversation)]
            ) { $0.int(0) }
        case .privateRoom:
            try database.one(
                "SELECT number FROM room_line WHERE record = ? AND room = ?", [.key(line.hash), .optional(key.room)]
            ) { $0.int(0) }
        case .peer:
            try database.one(
                "SELECT number FROM message WHERE record = ? AND person = ? AND peer = ?",
                [.key(line.hash), person, .bytes(key.conversation)]
            ) { $0.int(0) }
        }
    }

    private static func trim(_ kind: Kind, _ person: Bound, in database: Database) throws {
        try database.run(
            """
            DELETE FROM read_position WHERE person = ?1 AND kind = ?2 AND conversation IN (
              SELECT conversation FROM read_position WHERE person = ?1 AND kind = ?2
              ORDER BY upto DESC LIMIT -1 OFFSET ?3)
            """, [person, .int(kind.rawValue), .int(Int64(positionsMax))])
    }

    // MARK: - Lines

    /// Authors whose lines do not count.
    private struct Skipped {
        let peers: Set<PeerID>
        /// Their `peer.seq`.
        let numbers: Set<Int64>

        init(_ peers: Set<PeerID>, in database: Database) throws {
            self.peers = peers
            numbers = try Set(peers.compactMap { try database.seq(of: $0) })
        }
    }

    private static func unread(
        _ key: Key, after position: Int64, _ person: Bound, except skipped: Skipped, at now: WallTime,
        in database: Database
    ) throws -> UnreadLines {
        var count = Count()
        switch key.kind {
        case .publicRoom:
            let columns = "SELECT author, expires, bytes FROM record"
            let isOfRoom = "WHERE topic = ? AND kind = 1 AND erased = 0"
            for lines in [
                "\(columns) NOT INDEXED \(isOfRoom) AND seq > max(?, (SELECT filed FROM ledger)) ORDER BY seq DESC",
                "\(columns) INDEXED BY record_room \(isOfRoom) AND seq > ? AND filed = 1 ORDER BY seq DESC",
            ] {
                try database.each(lines, [.bytes(key.conversation), .int(position)]) { row in
                    guard !skipped.numbers.contains(row.int(0)), row.int(1) > now.milliseconds else {
                        return count.skip()
                    }
                    return count.take(try text(of: row.bytes(2)))
                }
            }
        case .privateRoom:
            try database.each(
                "SELECT author, text FROM room_line WHERE room = ? AND number > ? AND erased = 0",
                [.optional(key.room), .int(position)]
            ) { row in
                let isSkipped = row.bytes32(0).map { skipped.peers.contains(PeerID($0)) } ?? true
                return isSkipped ? count.skip() : count.take(row.text(1))
            }
        case .peer:
            if Bytes32(key.conversation).map({ skipped.peers.contains(PeerID($0)) }) ?? true { return UnreadLines() }
            try database.each(
                "SELECT mine, text FROM message WHERE person = ? AND peer = ? AND number > ? AND erased = 0 ORDER BY number DESC",
                [person, .bytes(key.conversation), .int(position)]
            ) { row in
                row.int(0) == 1 ? count.skip() : count.take(row.text(1))
            }
        }
        return count.lines
    }

    /// Counts lines until there are too many.
    private struct Count {
        var lines = UnreadLines()
        private var examined = 0

        /// - Returns: whether to go on.
        mutating func skip() -> Bool {
            guard examined < examinedMax else {
                lines.hasMore = true
                return false
            }
            examined += 1
            return true
        }

        /// - Parameter text: `nil` for a record that is no line.
        mutating func take(_ text: String?) -> Bool {
            guard let text else { return skip() }
            guard lines.texts.count < linesMax else {
                lines.hasMore = true
                return false
            }
            guard skip() else { return false }
            lines.texts.append(text)
            return true
        }
    }

    private static func text(of bytes: [UInt8]) throws -> String? {
        let record = try Batch.signed(bytes).record
        do {
            return try ChatLine(decoding: record.body).text
        } catch {
            return nil  // A signed record that is no chat line; kept for peers that can read it.
        }
    }
}
