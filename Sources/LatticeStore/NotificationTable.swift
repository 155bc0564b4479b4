import GRDB
package import LatticeCore
import LatticeWire

/// What one persona was notified of: what others did to their items, which follows from the records, and what was noted when
/// it came.
package struct NotificationTable: Sendable {
    let access: PersonaAccess

    /// Noted ones of each kind; of more, the newest are kept.
    package static let eachMax: Int64 = 200
    private static let (seenActivity, seenNoted) = (Int64(4), Int64(5))

    // MARK: - Noting

    /// Notes what is not noted yet, without the kinds that are off.
    ///
    /// - Returns: those that are new.
    package func note(_ news: [NewNotification]) async throws(StoreError) -> [NewNotification] {
        let person = access.person
        return try await access.file.writer.commit(on: .ingest) { transaction in
            let database = transaction.database
            let off = try Self.off(person, in: database)
            var added: [NewNotification] = []
            // Who is notified of something urgent is not notified of it in another way, too.
            let urgent = off.contains(.urgent) ? [] : Set(news.filter { $0.kind == .urgent }.map(\.subject))
            for one in news where !off.contains(one.kind) {
                if one.kind != .urgent, urgent.contains(one.subject) { continue }
                try database.run(
                    """
                    INSERT OR IGNORE INTO notification (person, kind, subject, author, date, room, private, emoji)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        person, .int(one.kind.rawValue), .key(one.subject.hash), .key(one.author.key),
                        .int(one.date.milliseconds), .optional(one.room?.text), .int(one.isPrivateRoom ? 1 : 0),
                        .text(one.emoji),
                    ])
                guard database.changesCount > 0 else { continue }
                added.append(one)
                guard one.kind == .privateMessage else { continue }
                try database.run(
                    "DELETE FROM notification WHERE person = ? AND kind = 2 AND author = ? AND subject <> ?",
                    [person, .key(one.author.key), .key(one.subject.hash)])
            }
            for kind in Set(added.map(\.kind)) {
                try database.run(
                    """
                    DELETE FROM notification WHERE person = ?1 AND kind = ?2 AND number <= (
                      SELECT number FROM notification WHERE person = ?1 AND kind = ?2
                      ORDER BY number DESC LIMIT 1 OFFSET ?3)
                    """, [person, .int(kind.rawValue), .int(Self.eachMax)])
            }
            return added
        }
    }

    // MARK: - Reading

    /// What others did and said, newest first, without the kinds that are off.
    ///
    /// - Returns: fewer than `limit` also where something is gone that a notification is about; `next` is `nil` at the end.
    package func newest(
        at now: WallTime, limit: Int, before: TimeMark? = nil
    ) async throws(StoreError) -> (notifications: [StoredNotification], next: TimeMark?) {
        let (person, author) = (access.person, access.author)
        let limit = min(max(limit, 0), pageLimitMax)
        return try await access.read { database in
            var rows = try NotificationRows(database, person: person, author: author, now: now)
            return try rows.newest(limit, before: before ?? .last, off: try Self.off(person, in: database))
        }
    }

    /// Everything that there is now has been seen.
    ///
    /// - Returns: whether anything had not been.
    package func markSeen() async throws(StoreError) -> Bool {
        let (person, author) = (access.person, access.author)
        return try await access.commit { transaction in
            let database = transaction.database
            let own = try database.seq(of: author) ?? 0
            let newest = [
                (
                    Self.seenActivity,
                    try database.one("SELECT max(record) FROM activity WHERE persona = ?", [.int(own)]) {
                        $0.optionalInt(0)
                    }
                ),
                (
                    Self.seenNoted,
                    try database.one("SELECT max(number) FROM notification WHERE person = ?", [person]) {
                        $0.optionalInt(0)
                    }
                ),
            ]
            var hasMoved = false
            for case (let kind, let number??) in newest where number > (try Self.seen(kind, person, in: database)) {
                hasMoved = true
                try database.run(
                    """
                    INSERT INTO read_position (person, kind, conversation, upto) VALUES (?, ?, x'', ?)
                    ON CONFLICT (person, kind, conversation) DO UPDATE SET upto = excluded.upto
                    """, [person, .int(kind), .int(number)])
            }
            return hasMoved
        }
    }

    // MARK: - What is urgent

    /// How long something urgent stays pinned.
    private static let urgentMilliseconds: Int64 = 86_400_000

    /// What came in the last day, was urgent and was not dismissed, newest first; at most `eachMax`.
    package func urgent(at now: WallTime) async throws(StoreError) -> [StoredNotification] {
        let (person, author) = (access.person, access.author)
        let since = now.milliseconds - Self.urgentMilliseconds
        return try await access.read { database in
            guard try !Self.off(person, in: database).contains(.urgent) else { return [] }
            var rows = try NotificationRows(database, person: person, author: author, now: now)
            return try rows.urgent(since: since)
        }
    }

    /// - Parameter record: `nil` dismisses all.
    /// - Returns: what was dismissed.
    package func dismissUrgent(_ record: RecordID?) async throws(StoreError) -> [RecordID] {
        let person = access.person
        return try await access.commit { transaction in
            let database = transaction.database
            let dismissed = try database.all(
                """
                SELECT subject FROM notification WHERE person = ?1 AND kind = 10 AND dismissed = 0
                AND (?2 IS NULL OR subject = ?2) ORDER BY number DESC LIMIT ?3
                """, [person, record.map { .key($0.hash) } ?? .null, .int(Self.eachMax)]
            ) { $0.bytes32(0).map(RecordID.init) }.compactMap(\.self)
            for id in dismissed {
                try database.run(
                    "UPDATE notification SET dismissed = 1 WHERE person = ? AND kind = 10 AND subject = ?",
                    [person, .key(id.hash)])
            }
            return dismissed
        }
    }

    // MARK: - Kinds that are off

    package func off() async throws(StoreError) -> Set<StoredNotification.Kind> {
        let person = access.person
        return try await access.read { try Self.off(person, in: $0) }
    }

    package func turn(_ kinds: Set<StoredNotification.Kind>, on isOn: Bool) async throws(StoreError) {
        let person = access.person
        try await access.commit { transaction in
            for kind in kinds {
                try transaction.database.run(
                    isOn
                        ? "DELETE FROM notification_off WHERE person = ? AND kind = ?"
                        : "INSERT OR IGNORE INTO notification_off (person, kind) VALUES (?, ?)",
                    [person, .int(kind.rawValue)])
            }
        }
    }

    private static func off(_ person: Bound, in database: Database) throws -> Set<StoredNotification.Kind> {
        try Set(
            database.all("SELECT kind FROM notification_off WHERE person = ?", [person]) {
                StoredNotification.Kind(rawValue: $0.int(0))
            }.compactMap(\.self))
    }

    fileprivate static func seen(_ kind: Int64, _ person: Bound, in database: Database) throws -> Int64 {
        try database.one(
            "SELECT upto FROM read_position WHERE person = ? AND kind = ? AND conversation = x''",
            [person, .int(kind)]
        ) { $0.int(0) } ?? 0
    }

    fileprivate static func positions(_ person: Bound, in database: Database) throws -> (activity: Int64, noted: Int64)
    {
        (try seen(seenActivity, person, in: database), try seen(seenNoted, person, in: database))
    }
}

/// The two tables, read as one list.
private struct NotificationRows {
    private let database: Database
    private let person: Bound
    private let own: Int64
    private let now: WallTime
    private let seen: (activity: Int64, noted: Int64)
    private var items: ItemReader
    private var people: PersonReader

    init(_ database: Database, person: Bound, author: PeerID, now: WallTime) throws {
        (self.database, self.person, self.now) = (database, person, now)
        own = try database.seq(of: author) ?? 0
        seen = try NotificationTable.positions(person, in: database)
        items = try ItemReader(database, viewer: author)
        people = try PersonReader(database, viewer: author, now: now)
    }

    /// A row of either table, before what it names is read. Marks make one order of both.
    private enum Found {
        case activity(seq: Int64, kind: StoredNotification.Kind, item: Int64?, record: Bytes32, author: Int64)
        case noted(NewNotification, isNew: Bool)
    }

    mutating func newest(
        _ limit: Int, before mark: TimeMark, off: Set<StoredNotification.Kind>
    ) throws -> (notifications: [StoredNotification], next: TimeMark?) {
        let found = try (activity(limit + 1, before: mark, off) + noted(limit + 1, before: mark, off)).sorted {
            ($0.mark.date.milliseconds, $0.mark.seq) > ($1.mark.date.milliseconds, $1.mark.seq)
        }
        var notifications: [StoredNotification] = []
        for (mark, row) in found.prefix(limit) {
            if let one = try notification(row, mark) { notifications.append(one) }
        }
        return (notifications, found.count > limit ? found.prefix(limit).last?.mark : nil)
    }

    private func activity(
        _ limit: Int, before mark: TimeMark, _ off: Set<StoredNotification.Kind>
    ) throws -> [(mark: TimeMark, row: Found)] {
        let kinds = StoredNotification.Kind.allCases.filter { !off.contains($0) }.compactMap(\.recordKind)
        guard !kinds.isEmpty else { return [] }
        return try database.all(
            """
            SELECT a.record, a.date, a.kind, a.item, r.id, r.author FROM activity a CROSS JOIN record r
            ON r.seq = a.record WHERE a.persona = ?5 AND (a.date, a.record) < (?1, ?2) AND r.expires > ?3
            AND a.kind IN (\(kinds.map { String($0.rawValue) }.joined(separator: ", ")))
            ORDER BY a.date DESC, a.record DESC LIMIT ?4
            """,
            [
                .int(mark.date.milliseconds), .int(mark.seq / 2 + mark.seq % 2), .int(now.milliseconds),
                .int(Int64(limit)), .int(own),
            ]
        ) { row in
            guard let kind = StoredNotification.Kind(recordKind: row.int(2)), let id = row.bytes32(4) else {
                throw DatabaseError.damaged("activity \(row.int(0)) is of no kind that activities have")
            }
            let mark = TimeMark(date: WallTime(milliseconds: row.int(1)), seq: row.int(0) * 2)
            return (
                mark, .activity(seq: row.int(0), kind: kind, item: row.optionalInt(3), record: id, author: row.int(5))
            )
        }
    }

    private func noted(
        _ limit: Int, before mark: TimeMark, _ off: Set<StoredNotification.Kind>
    ) throws -> [(mark: TimeMark, row: Found)] {
        let hidden = off.map { String($0.rawValue) }.sorted().joined(separator: ", ")
        return try noted(
            "(date, number) < (?1, ?2) AND kind NOT IN (\(hidden))",
            [.int(mark.date.milliseconds), .int(mark.seq / 2), .int(Int64(limit)), person])
    }

    /// What is urgent and was not dismissed, the last to come first.
    mutating func urgent(since time: Int64) throws -> [StoredNotification] {
        let limit = Int64(NotificationTable.eachMax)
        let found = try noted(
            """
            kind = 10 AND dismissed = 0 AND ?2 = 0
            AND EXISTS (SELECT 1 FROM urgent WHERE urgent.id = notification.subject AND urgent.seen > ?1)
            """, by: "number DESC", [.int(time), .int(0), .int(limit), person])
        return try found.compactMap { mark, row in try notification(row, mark) }
    }

    /// - Parameter arguments: two of the condition, then the limit and the person.
    private func noted(
        _ condition: String, by order: String = "date DESC, number DESC", _ arguments: [Bound]
    ) throws -> [(mark: TimeMark, row: Found)] {
        let seen = seen.noted
        return try database.all(
            """
            SELECT number, kind, subject, author, date, room, private, emoji FROM notification
            WHERE person = ?4 AND \(condition) ORDER BY \(order) LIMIT ?3
            """, arguments
        ) { row in
            guard let kind = StoredNotification.Kind(rawValue: row.int(1)), let subject = row.bytes32(2),
                let author = row.bytes32(3)
            else { throw DatabaseError.damaged("notification \(row.int(0)) is of no known kind") }
            let date = WallTime(milliseconds: row.int(4))
            let noted = NewNotification(
                kind, of: RecordID(subject), by: PeerID(author), at: date, in: Self.room(row.optionalText(5)),
                isPrivateRoom: row.int(6) == 1, emoji: row.text(7))
            return (TimeMark(date: date, seq: row.int(0) * 2 + 1), .noted(noted, isNew: row.int(0) > seen))
        }
    }

    private static func room(_ text: String?) -> RoomName? {
        guard let text else { return nil }
        do {
            return try RoomName(text)
        } catch {
            return nil  // It was valid when it was noted; the rules have changed.
        }
    }

    /// - Returns: `nil` if what it is about is gone.
    private mutating func notification(_ row: Found, _ mark: TimeMark) throws -> StoredNotification? {
        switch row {
        case .activity(let seq, let kind, let item, let record, let author):
            guard let by = try people.person(author) else { return nil }
            return StoredNotification(
                kind: kind, record: RecordID(record), by: by, date: mark.date, isNew: seq > seen.activity, room: nil,
                isPrivateRoom: false, emoji: nil, item: try item.flatMap { try items.item($0, now: now) },
                comment: kind == .comment ? try items.item(seq, now: now) : nil, mark: mark)
        case .noted(let noted, let isNew):
            let isOfItem = noted.kind == .post || noted.kind == .urgent && noted.room == nil
            let item = isOfItem ? try post(noted.subject) : nil
            if isOfItem, item == nil { return nil }
            let author = try database.seq(of: noted.author).flatMap { try people.person($0) }
            return StoredNotification(
                kind: noted.kind, record: noted.subject, by: author ?? PersonReader.stranger(noted.author),
                date: mark.date, isNew: isNew, room: noted.room, isPrivateRoom: noted.isPrivateRoom,
                emoji: noted.emoji.isEmpty ? nil : noted.emoji, item: item, comment: nil, mark: mark)
        }
    }

    private mutating func post(_ id: RecordID) throws -> StoredItem? {
        let seq = try database.one("SELECT seq FROM record WHERE id = ?", [.key(id.hash)]) { $0.int(0) }
        guard let item = try seq.flatMap({ try items.item($0, now: now) }), item.state == .shown else { return nil }
        return item
    }
}

extension StoredNotification.Kind {
    /// The kind of record in `activity`; `nil` for kinds that are in `notification`.
    fileprivate var recordKind: RecordKind? {
        switch self {
        case .comment: .comment
        case .like: .like
        case .follow: .follow
        case .attendance: .attendance
        case .mention, .privateMessage, .reply, .reaction, .post, .urgent: nil
        }
    }

    fileprivate init?(recordKind number: Int64) {
        guard let kind = Self.allCases.first(where: { $0.recordKind.map { Int64($0.rawValue) } == number }) else {
            return nil
        }
        self = kind
    }
}
