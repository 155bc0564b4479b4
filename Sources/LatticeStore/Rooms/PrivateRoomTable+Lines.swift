import GRDB
package import LatticeCore
package import LatticeWire

/// A record that may be a line of a room, opened with one of the room's keys.
package struct OpenedRoomLine: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case line(ChatLine, isLate: Bool)
        case member(RoomMemberText)
        case act(SealedAct)
        case pin(PinBody)
        /// Content of a later version, or by somebody whose lines no longer count in the room.
        case nothing
    }

    package let arrived: ArrivedMessage
    package let key: StoredRoomKey
    package let content: Content

    package init(_ arrived: ArrivedMessage, key: StoredRoomKey, content: Content) {
        self.arrived = arrived
        self.key = key
        self.content = content
    }
}

/// The result of storing opened lines.
package struct RoomLinesEntered: Hashable, Sendable {
    package var lines: [StoredRoomLine] = []
    /// People who joined, were invited or left, with the author of the change and the key.
    package var changes: [Change] = []
    /// Lines that somebody changed, in the order in which that arrived.
    package var acts: [ChangedLine<StoredRoomLine>] = []
    /// Pins that somebody set or removed.
    package var pins: [Pinned] = []

    package struct Pinned: Hashable, Sendable {
        package let room: RoomName
        package let author: PeerID
        package let name: PeerName
        /// `false` if the pin was removed.
        package let holds: Bool
    }

    package struct Change: Hashable, Sendable {
        package let member: StoredRoomMember
        package let record: RecordID
        package let author: PeerID
        package let key: StoredRoomKey
    }
}

/// A sealed line after somebody changed it.
package struct ChangedLine<Line: Hashable & Sendable>: Hashable, Sendable {
    package let change: SealedAct.Change
    package let author: PeerID
    /// As it is now.
    package let line: Line
}

/// Something to say in a private room: what it shows as, `nil` if it is not a line, and what signs its sealed record.
package typealias RoomDraft = (line: ChatLine?, make: @Sendable (HybridTime) -> VerifiedRecord)

// Lines of private rooms.
extension PrivateRoomTable {
    /// Stores opened lines and the number up to which these keys were tried, in one transaction.
    package func enter(
        _ opened: [OpenedRoomLine], tried keys: [Int64], upTo seq: Int64, at now: WallTime
    ) async throws(StoreError) -> RoomLinesEntered {
        let person = access.person
        return try await access.commit { transaction in
            let database = transaction.database
            var entered = RoomLinesEntered()
            for line in opened {
                let author = line.arrived.record.author
                var member: StoredRoomMember?
                switch line.content {
                case .line(let said, let isLate):
                    member = StoredRoomMember(peer: author, name: said.name.text, state: .here)
                    if let kept = try Self.keep(
                        said, by: author, in: line.key.room, line.arrived.id, line.arrived.date, isLate, person,
                        transaction, at: now), !kept.isDeleted
                    {
                        entered.lines.append(kept)
                    }
                case .member(let told):
                    let state: StoredRoomMember.State =
                        switch told.state {
                        case .invited: .invited
                        case .here: .here
                        case .left: .left
                        }
                    member = StoredRoomMember(peer: told.peer, name: told.name.text, state: state)
                case .act(let act):
                    let new = NewLineAct(
                        act: act, author: author, created: line.arrived.record.created, record: line.arrived.id)
                    let changed = try Self.perform(new, in: line.key, person, transaction, at: now)
                    if let changed { entered.acts.append(changed) }
                case .pin(let pin):
                    let isChanged = try Self.keep(
                        pin, by: author, line.arrived.record.created, line.arrived.id, line.arrived.date,
                        in: line.key, person, transaction, at: now)
                    if isChanged {
                        entered.pins.append(
                            RoomLinesEntered.Pinned(
                                room: line.key.room, author: author, name: pin.name, holds: pin.pinned != .nothing))
                    }
                case .nothing: break
                }
                if let member, try Rooms.note(member, under: line.key.seq, in: database) {
                    entered.changes.append(
                        RoomLinesEntered.Change(
                            member: member, record: line.arrived.id, author: author, key: line.key))
                }
            }
            try Self.settle(&entered, person, in: database)
            for key in keys {
                try database.run(
                    "UPDATE room_key SET looked = ?1 WHERE seq = ?2 AND looked < ?1", [.int(seq), .int(key)])
            }
            return entered
        }
    }

    /// New lines are shown as they are after everything that came with them; that is no news of its own.
    private static func settle(_ entered: inout RoomLinesEntered, _ person: Bound, in database: Database) throws {
        let changed = Set(entered.acts.map(\.line.record))
        guard entered.lines.contains(where: { changed.contains($0.record) }) else { return }
        let new = Set(entered.lines.map(\.record))
        entered.acts.removeAll { new.contains($0.line.record) }
        entered.lines = try entered.lines.compactMap { kept in
            guard changed.contains(kept.record) else { return kept }
            return try line(kept.record, of: kept.room, person, in: database).flatMap { $0.isDeleted ? nil : $0 }
        }
    }

    /// Stores what the owner says, if the key it is sealed with is still the current one.
    ///
    /// - Returns: the stored lines, `nil` for one that is not a line or was not stored; `nil` if the key has changed, and then
    ///   nothing is stored.
    package func say(
        _ drafts: [RoomDraft], under key: StoredRoomKey, at wallTime: WallTime
    ) async throws(StoreError) -> [StoredRoomLine?]? {
        let person = access.person
        return try await access.commit { transaction -> [StoredRoomLine?]? in
            let database = transaction.database
            guard try Rooms.keys(of: key.room, person, in: database).first?.id == key.id else { return nil }
            return try drafts.map { draft in
                let (record, outcome) = try transaction.enter(access.draft(at: wallTime, waits: true, draft.make))
                guard outcome == .added, let line = draft.line else { return nil }
                let date = min(wallTime, record.record.created.wallTime)
                return try Self.keep(
                    line, by: record.author, in: key.room, record.id, date, false, person, transaction, at: wallTime)
            }
        }
    }

    /// Stores and applies the persona's own act, if the key it is sealed with is still the current one.
    package func act(
        _ act: SealedAct, under key: StoredRoomKey, at wallTime: WallTime,
        _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) async throws(StoreError) -> ActOutcome<StoredRoomLine> {
        let person = access.person
        return try await access.commit { transaction in
            guard try Rooms.keys(of: key.room, person, in: transaction.database).first?.id == key.id else {
                return .keyChanged
            }
            let (record, outcome) = try transaction.enter(access.draft(at: wallTime, waits: true, make))
            guard outcome == .added else { return .notStored(outcome) }
            let new = NewLineAct(act: act, author: record.author, created: record.record.created, record: record.id)
            return ActOutcome(try Self.perform(new, in: key, person, transaction, at: wallTime))
        }
    }

    private static func perform(
        _ act: NewLineAct, in key: StoredRoomKey, _ person: Bound, _ transaction: Transaction, at now: WallTime
    ) throws -> ChangedLine<StoredRoomLine>? {
        let acts = LineActs(transaction: transaction, person: person, scope: .room, place: key.root)
        let line = try line(act.act.line, of: key.room, person, in: transaction.database)
        guard try acts.perform(act, on: line?.target, at: now) else { return nil }
        return try Self.line(act.act.line, of: key.room, person, in: transaction.database).map {
            ChangedLine(change: act.act.change, author: act.author, line: $0)
        }
    }

    private static func keep(
        _ line: ChatLine, by author: PeerID, in room: RoomName, _ id: RecordID, _ date: WallTime, _ isLate: Bool,
        _ person: Bound, _ transaction: Transaction, at now: WallTime
    ) throws -> StoredRoomLine? {
        let database = transaction.database
        try database.run(
            """
            INSERT OR IGNORE INTO room_line (room, record, author, name, text, style, turn, date, late, reply, file, file_id)
            SELECT (SELECT number FROM room WHERE person = ? AND name = ?), id, ?, ?, ?, ?, turn, ?, ?, ?, ?, ? FROM record
            WHERE id = ?
            """,
            [
                person, .text(room.text), .key(author.key), .text(line.name.text), .text(line.text),
                .int(LineStyle(line).number), .int(date.milliseconds), .int(isLate ? 1 : 0),
                line.replyTo.map { .key($0.hash) } ?? .null,
            ] + Bound.file(line.validSealedFile) + [.key(id.hash)])
        guard database.changesCount > 0 else { return nil }
        let number = database.lastInsertedRowID
        try Rooms.trim(room, person, newest: number, in: database)
        guard let kept = try lines("WHERE room_line.number = ?", [.int(number)], person, in: database).first else {
            return nil
        }
        let acts = LineActs(transaction: transaction, person: person, scope: .room, place: kept.root)
        _ = try acts.settle(kept.target, as: id, at: now)
        return try lines("WHERE room_line.number = ?", [.int(number)], person, in: database).first
    }

    /// The last line of a room, without reactions.
    ///
    /// - Parameter authors: their lines are passed over.
    /// - Returns: `nil` if the last `HistoryReader.examinedMax` lines are all theirs.
    package func lastLine(of room: RoomName, except authors: Set<PeerID>) async throws(StoreError) -> StoredRoomLine? {
        let person = access.person
        return try await access.read { database in
            var last: StoredRoomLine?
            try database.each(
                """
                SELECT \(StoredRoomLine.columns) FROM room_line JOIN room ON room.number = room_line.room
                WHERE room_line.room = (SELECT number FROM room WHERE person = ? AND name = ?)
                ORDER BY turn DESC, record DESC LIMIT ?
                """, [person, .text(room.text), .int(Int64(HistoryReader.examinedMax))]
            ) { row in
                let line = try StoredRoomLine(row)
                guard !authors.contains(line.author) else { return true }
                last = line
                return false
            }
            return last
        }
    }

    static func line(
        _ id: RecordID, of room: RoomName, _ person: Bound, in database: Database
    ) throws -> StoredRoomLine? {
        try lines(
            "WHERE record = ? AND room = (SELECT number FROM room WHERE person = ? AND name = ?)",
            [.key(id.hash), person, .text(room.text)], person, in: database
        ).first
    }

    private static func lines(
        _ end: String, _ values: [Bound], _ person: Bound, in database: Database
    ) throws -> [StoredRoomLine] {
        try database.all(
            "SELECT \(StoredRoomLine.columns) FROM room_line JOIN room ON room.number = room_line.room \(end)", values
        ) { try StoredRoomLine($0) }.map { line in
            guard !line.isDeleted else { return line }
            var line = line
            line.reactions = try LineActs.reactions(to: line.record, person, .room, line.root, in: database)
            return line
        }
    }

    /// - Parameter ids: of lines of any private room of this persona, at most `HistoryReader.linesMax`; unknown ids are left out.
    package func lines(_ ids: [RecordID]) async throws(StoreError) -> [StoredRoomLine] {
        let person = access.person
        return try await access.read { database in
            try ids.prefix(HistoryReader.linesMax).compactMap { id in
                try Self.lines(
                    "WHERE record = ? AND room IN (SELECT number FROM room WHERE person = ?)", [.key(id.hash), person],
                    person, in: database
                ).first
            }
        }
    }

    /// - Parameter ids: at most `HistoryReader.linesMax`; lines of other rooms, and what is not stored, are left out.
    package func lines(_ ids: [RecordID], of room: RoomName) async throws(StoreError) -> [StoredRoomLine] {
        let person = access.person
        return try await access.read { database in
            try ids.prefix(HistoryReader.linesMax).compactMap { id in
                try Self.line(id, of: room, person, in: database)
            }
        }
    }

    /// A line and those around it, in the order that all members see, without those of authors whom this person blocks.
    ///
    /// - Parameters:
    ///   - id: of a line of any private room of this persona.
    ///   - count: lines before it, and lines after it; at most `HistoryReader.linesMax`.
    /// - Returns: nothing if the line is not stored.
    package func lines(around id: RecordID, count: Int) async throws(StoreError) -> [StoredRoomLine] {
        let person = access.person
        let count = Int64(min(max(count, 0), HistoryReader.linesMax))
        return try await access.read { database in
            let place = try database.one(
                """
                SELECT room, turn FROM room_line
                WHERE record = ? AND room IN (SELECT number FROM room WHERE person = ?)
                """, [.key(id.hash), person]
            ) { (room: $0.int(0), turn: $0.int(1)) }
            guard let place else { return [] }
            func lines(_ sign: String, _ order: String, _ limit: Int64) throws -> [StoredRoomLine] {
                try Self.lines(
                    """
                    WHERE room = ? AND (turn, record) \(sign) (?, ?) AND author NOT IN (\(ContactTable.blockedPeers))
                    ORDER BY turn \(order), record \(order) LIMIT ?
                    """, [.int(place.room), .int(place.turn), .key(id.hash), person, .int(limit)], person, in: database)
            }
            let from = try lines(">=", "ASC", count + 1)
            guard from.first?.record == id else { return [] }
            return try lines("<", "DESC", count).reversed() + from
        }
    }

    /// The last lines of a private room, in the order that all members see.
    ///
    /// - Parameters:
    /// - before: a stored line; if it is no longer stored, nothing precedes it.
    ///   - limit: at most `HistoryReader.linesMax`.
    /// - Returns: the last lines, oldest first, without those of authors whom this person blocks, and whether there are
    ///   older ones.
    package func history(
        of room: RoomName, before: RecordID? = nil, limit: Int
    ) async throws(StoreError) -> (lines: [StoredRoomLine], hasMore: Bool) {
        let limit = min(max(limit, 0), HistoryReader.linesMax)
        let person = access.person
        return try await access.read { database in
            let end: [Bound]
            if let before {
                let turn = try database.one("SELECT turn FROM room_line WHERE record = ?", [.key(before.hash)]) {
                    $0.int(0)
                }
                guard let turn else { return ([], false) }
                end = [.int(turn), .key(before.hash)]
            } else {
                end = [.int(.max), .bytes([UInt8](repeating: 0xFF, count: 33))]
            }
            let newestFirst = try Self.lines(
                """
                WHERE room = (SELECT number FROM room WHERE person = ? AND name = ?) AND (turn, record) < (?, ?)
                  AND author NOT IN (\(ContactTable.blockedPeers))
                ORDER BY turn DESC, record DESC LIMIT ?
                """, [person, .text(room.text)] + end + [person, .int(Int64(limit + 1))], person, in: database)
            return (newestFirst.prefix(limit).reversed(), newestFirst.count > limit)
        }
    }
}

extension StoredRoomLine {
    fileprivate var target: LineActs.Target {
        LineActs.Target(number: number, author: author, isDeleted: isDeleted, records: [record])
    }
}
