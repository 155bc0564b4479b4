import GRDB
package import LatticeCore

/// Finds lines that contain all of some words; the last word matches by a beginning of three letters or more.
package struct LineSearch: Sendable {
    let access: PersonaAccess

    /// Matches of the index that are looked at for one page: old texts of edited lines, and lines of other rooms.
    static let examinedMax = 5_000
    /// Private lines have no index. A search reads this many of the newest ones.
    package static let privateMax: Int64 = 20_000

    /// A line and its number in the order of arrival.
    package typealias Found<Line> = (lines: [(number: Int64, line: Line)], next: Int64?)

    /// Adds what came since the last search. The first one takes a while: a second for some hundred thousand lines.
    package func catchUp() async throws(StoreError) {
        let isBehind = try await access.read { database in
            let mark = try StoredSettings.value(.lineWords, in: database).flatMap { Int64($0) }
            let last = try database.one("SELECT max(seq) FROM record", []) { $0.optionalInt(0) } ?? nil
            return last ?? 0 > mark ?? 0
        }
        guard isBehind else { return }
        while try await access.file.writer.commit(on: .ingest, { try LineIndex(database: $0.database).addNext() }) {}
    }

    /// Adds a portion of what came since the last search, if somebody has searched before.
    ///
    /// - Returns: whether there is more.
    package func addNext() async throws(StoreError) -> Bool {
        guard try await access.read({ try StoredSettings.value(.lineWords, in: $0) }) != nil else { return false }
        return try await access.file.writer.commit(on: .ingest) { try LineIndex(database: $0.database).addNext() }
    }

    /// Overwrites what is left of the words of lines that were deleted.
    package func purge() async throws(StoreError) {
        var begins = true
        while true {
            let first = begins
            let hasMore = try await access.file.writer.commit(on: .ingest) {
                try LineIndex(database: $0.database).overwriteNext(begins: first)
            }
            guard hasMore else { return }
            begins = false
        }
    }

    /// Lines of public rooms as they are now, newest first, without those of authors whom this persona blocks.
    ///
    /// - Parameters:
    ///   - room: `nil` for all.
    ///   - before: lines with smaller numbers; `nil` for all.
    /// - Returns: at most `limit`; `next` is `nil` at the end.
    package func publicLines(
        with words: String, in room: RoomName?, before: Int64?, limit: Int, at now: WallTime
    ) async throws(StoreError) -> Found<StoredLine> {
        let person = access.person
        return try await access.read { database in
            guard limit > 0, let terms = try SearchTerms(database, words) else { return ([], nil) }
            let topic = room.map { Array($0.text.utf8) }
            var lines: [(number: Int64, line: StoredLine)] = []
            let matches = LineMatches(database: database, terms: terms)
            let (last, isEnd) = try matches.forEach(before: before ?? .max, limit: Self.examinedMax) { seq in
                if let line = try Self.current(seq, topic, person, at: now, in: database) { lines.append((seq, line)) }
                return lines.count < limit
            }
            return (lines, isEnd ? nil : last)
        }
    }

    /// - Returns: `nil` if the number is of an old text or of what cannot be shown.
    private static func current(
        _ seq: Int64, _ topic: [UInt8]?, _ person: Bound, at now: WallTime, in database: Database
    ) throws -> StoredLine? {
        let row = try database.one("SELECT kind, topic, id FROM record WHERE seq = ?", [.int(seq)]) {
            ($0.int(0), $0.bytes(1), $0.bytes(2))
        }
        guard let (kind, itsTopic, id) = row else { return nil }
        let line = kind == 1 ? id : itsTopic
        let newest = try database.one(
            """
            SELECT seq FROM record WHERE topic = ? AND kind = 10 AND kind IN (10, 11)
            ORDER BY created DESC, id DESC LIMIT 1
            """, [.bytes(line)]
        ) { $0.int(0) }
        guard newest == (kind == 1 ? nil : seq) else { return nil }
        return try database.one(
            """
            SELECT \(StoredLine.columns) FROM record WHERE id = ? AND kind = 1 AND expires > ? AND erased = 0
              AND author NOT IN (SELECT seq FROM peer WHERE key IN (\(ContactTable.blockedPeers)))
            """, [.bytes(line), .int(now.milliseconds), person]
        ) { try StoredLine($0) }.flatMap { topic == nil || $0.topic == topic ? $0 : nil }
    }

    /// Lines of public rooms, and of private ones of this persona, whose ids begin with these hexadecimal digits; at most two.
    package func ids(beginning digits: String) async throws(StoreError) -> [RecordID] {
        let person = access.person
        let ends = ["0", "f"].map { Bytes32(hex: digits + String(repeating: $0, count: max(0, 64 - digits.count))) }
        guard case (let first?, let last?) = (ends[0], ends[1]) else { return [] }
        return try await access.read { database in
            try database.all(
                """
                SELECT id FROM record WHERE id BETWEEN ?1 AND ?2 AND kind = 1
                UNION SELECT record FROM room_line WHERE record BETWEEN ?1 AND ?2
                  AND room IN (SELECT number FROM room WHERE person = ?3)
                UNION SELECT record FROM message WHERE record BETWEEN ?1 AND ?2 AND person = ?3 LIMIT 2
                """, [.key(first), .key(last), person]
            ) { $0.bytes32(0) }.compactMap { $0.map(RecordID.init) }
        }
    }

    /// Lines of private rooms, as above.
    package func privateLines(
        with words: String, in room: RoomName?, before: Int64?, limit: Int
    ) async throws(StoreError) -> Found<StoredRoomLine> {
        let person = access.person
        return try await access.read { database in
            try Self.scan(
                database, words, limit,
                """
                SELECT \(StoredRoomLine.columns) FROM room_line JOIN room ON room.number = room_line.room
                WHERE room.person = ?1 AND room_line.number < ?2 AND (?3 IS NULL OR room.name = ?3)
                  AND author NOT IN (\(ContactTable.blockedPeers.replacing("?", with: "?1")))
                ORDER BY room_line.number DESC LIMIT ?4
                """, [person, .int(before ?? .max), .optional(room?.text), .int(Self.privateMax)],
                read: { try StoredRoomLine($0) }, text: \.text, number: \.number)
        }
    }

    /// Private messages, as above.
    package func messages(
        with words: String, peer: PeerID?, before: Int64?, limit: Int
    ) async throws(StoreError) -> Found<StoredMessage> {
        let person = access.person
        return try await access.read { database in
            try Self.scan(
                database, words, limit,
                """
                SELECT \(StoredMessage.columns) FROM message
                WHERE person = ?1 AND number < ?2 AND (?3 IS NULL OR peer = ?3) ORDER BY number DESC LIMIT ?4
                """, [person, .int(before ?? .max), peer.map { .key($0.key) } ?? .null, .int(Self.privateMax)],
                read: { try StoredMessage($0) }, text: \.text, number: \.number)
        }
    }

    private static func scan<Line>(
        _ database: Database, _ words: String, _ limit: Int, _ sql: String, _ values: [Bound],
        read: (borrowing RawStatement) throws -> Line, text: (Line) -> String, number: (Line) -> Int64
    ) throws -> Found<Line> {
        guard limit > 0, let terms = try SearchTerms(database, words) else { return ([], nil) }
        var lines: [(number: Int64, line: Line)] = []
        try database.each(sql, values) { row in
            let line = try read(row)
            if try terms.are(in: text(line)) { lines.append((number(line), line)) }
            return lines.count < limit
        }
        return (lines, lines.count < limit ? nil : lines.last?.number)
    }
}
