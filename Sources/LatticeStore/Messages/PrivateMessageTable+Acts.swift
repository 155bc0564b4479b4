import GRDB
package import LatticeCore
package import LatticeWire

/// Something this person did to a private message, which the other does not know yet.
package struct UnsealedAct: Hashable, Sendable {
    package enum What: Hashable, Sendable {
        /// The message has the new text.
        case edit
        case deletion
        case emoji(String, holds: Bool)
    }

    package let number: Int64
    package let message: StoredMessage
    package let what: What
    let created: Int64
}

// What people do to private messages.
extension PrivateMessageTable {
    /// Applies the persona's own act to a sealed message; the act is sealed later.
    ///
    /// - Parameter unsealedMax: the limit of acts that wait to be sealed.
    package func act(
        _ act: SealedAct, with peer: PeerID, at wallTime: WallTime, unsealedMax: Int
    ) async throws(StoreError) -> ActOutcome<StoredMessage> {
        let (person, me) = (access.person, access.author)
        return try await access.commit { transaction in
            let database = transaction.database
            func isFull() throws -> Bool {
                let waiting = try database.one(
                    "SELECT count(*) FROM line_act WHERE person = ? AND record IS NULL", [person]
                ) { $0.int(0) }
                return waiting ?? 0 >= Int64(unsealedMax)
            }
            if try isFull() {
                // Acts on messages that are no longer stored are of no use.
                try database.run(
                    """
                    DELETE FROM line_act WHERE person = ?1 AND record IS NULL AND NOT EXISTS (
                      SELECT 1 FROM message WHERE person = ?1 AND (record = line_act.line OR origin = line_act.line))
                    """, [person])
                guard try !isFull() else { return .tooManyWait }
            }
            let new = NewLineAct(act: act, author: me, created: HybridTime(wallTime: wallTime), record: nil)
            return ActOutcome(try MessageRows.perform(new, with: peer, me: me, person, transaction, at: wallTime))
        }
    }

    /// In the order in which they were done.
    package func unsealedActs(limit: Int) async throws(StoreError) -> [UnsealedAct] {
        let person = access.person
        return try await access.read { database in
            let rows = try database.all(
                """
                SELECT number, place, line, kind, emoji, holds, created FROM line_act
                WHERE person = ? AND scope = 3 AND record IS NULL ORDER BY number LIMIT ?
                """, [person, .int(Int64(limit))]
            ) { row in
                let what: UnsealedAct.What =
                    switch row.int(3) {
                    case 1: .edit
                    case 2: .deletion
                    default: .emoji(row.text(4), holds: row.int(5) == 1)
                    }
                return (
                    number: row.int(0), place: row.bytes32(1), line: row.bytes32(2), what: what, created: row.int(6)
                )
            }
            return try rows.compactMap { row in
                guard let place = row.place, let line = row.line else {
                    throw DatabaseError.damaged("act \(row.number) has no place or line")
                }
                let message = try MessageRows.one(RecordID(line), with: PeerID(place), person, in: database)
                return message.map {
                    UnsealedAct(number: row.number, message: $0, what: row.what, created: row.created)
                }
            }
        }
    }

    /// Stores the record that an act was sealed into, unless another process already has or the persona has changed it since.
    ///
    /// - Returns: the outcome for the record; `nil` if it is not stored.
    package func send(
        _ act: UnsealedAct, at wallTime: WallTime, _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) async throws(StoreError) -> InsertOutcome? {
        try await access.commit { transaction in
            let database = transaction.database
            let isOpen = try database.one(
                "SELECT 1 FROM line_act WHERE number = ? AND record IS NULL AND created = ?",
                [.int(act.number), .int(act.created)]
            ) { $0.int(0) }
            guard isOpen != nil else { return nil }
            let (record, outcome) = try transaction.enter(access.draft(at: wallTime, waits: true, make))
            guard outcome == .added else { return outcome }
            try database.run(
                "UPDATE line_act SET record = ?, created = ? WHERE number = ?",
                [.key(record.id.hash), .int(Int64(clamping: record.record.created.rawValue)), .int(act.number)])
            return outcome
        }
    }

    /// Messages with this peer by the id that both people use (`StoredMessage.line`).
    ///
    /// - Parameter ids: at most `HistoryReader.linesMax`; what is not stored is left out.
    package func lines(_ ids: [RecordID], with peer: PeerID) async throws(StoreError) -> [StoredMessage] {
        let person = access.person
        return try await access.read { database in
            try ids.prefix(HistoryReader.linesMax).compactMap {
                try MessageRows.one($0, with: peer, person, in: database)
            }
        }
    }

    /// A message and those exchanged with the same person around it, oldest first, without deleted ones.
    ///
    /// - Parameters:
    ///   - id: under which it is stored here.
    ///   - count: messages before it, and messages after it; at most `HistoryReader.linesMax`.
    /// - Returns: nothing if it is not stored, or this person blocks the other one.
    package func lines(around id: RecordID, count: Int) async throws(StoreError) -> [StoredMessage] {
        let person = access.person
        let count = Int64(min(max(count, 0), HistoryReader.linesMax))
        return try await access.read { database in
            let place = try MessageRows.all(
                "WHERE record = ? AND person = ? AND peer NOT IN (\(ContactTable.blockedPeers))",
                [.key(id.hash), person, person], in: database
            ).first
            guard let place else { return [] }
            func lines(_ sign: String, _ order: String) throws -> [StoredMessage] {
                try MessageRows.all(
                    """
                    WHERE person = ? AND peer = ? AND number \(sign) ? AND erased = 0
                    ORDER BY number \(order) LIMIT ?
                    """, [person, .key(place.peer.key), .int(place.number), .int(count)], in: database)
            }
            return try lines("<", "DESC").reversed() + [place] + lines(">", "ASC")
        }
    }

    /// - Parameter ids: of first records, or ids under which messages are stored; at most `HistoryReader.linesMax`. Unknown ids
    ///   are left out.
    package func lines(_ ids: [RecordID]) async throws(StoreError) -> [StoredMessage] {
        let person = access.person
        return try await access.read { database in
            try ids.prefix(HistoryReader.linesMax).compactMap { id in
                let values: [Bound] = [.key(id.hash), person]
                if let stored = try MessageRows.all("WHERE record = ? AND person = ?", values, in: database).first {
                    return stored
                }
                // Anybody can name any record as the first of theirs.
                let named = try MessageRows.all("WHERE origin = ? AND person = ? LIMIT 2", values, in: database)
                return named.count == 1 ? named[0] : nil
            }
        }
    }
}

/// What came of a person's own act on a line.
package enum ActOutcome<Line: Hashable & Sendable>: Hashable, Sendable {
    case changed(ChangedLine<Line>)
    case unchanged
    /// The room has another key by now; nothing was stored.
    case keyChanged
    /// Too many acts wait to be sealed; nothing was stored.
    case tooManyWait
    /// The store did not take the record of the act.
    case notStored(InsertOutcome)

    init(_ changed: ChangedLine<Line>?) { self = changed.map { .changed($0) } ?? .unchanged }
}

extension MessageRows {
    /// The records that a line was sealed into again.
    private static func copies(of number: Int64, in database: Database) throws -> [RecordID] {
        try database.all("SELECT record FROM message_copy WHERE message = ?", [.int(number)]) {
            $0.bytes32(0).map(RecordID.init)
        }.compactMap(\.self)
    }

    static func note(copy record: RecordID, of number: Int64, in database: Database) throws {
        try database.run(
            "INSERT OR IGNORE INTO message_copy (record, message) VALUES (?, ?)", [.key(record.hash), .int(number)])
    }

    static func one(
        _ line: RecordID, with peer: PeerID, _ person: Bound, in database: Database
    ) throws -> StoredMessage? {
        try all(
            "WHERE (record = ?1 OR origin = ?1) AND person = ?2 AND peer = ?3",
            [.key(line.hash), person, .key(peer.key)], in: database
        ).first
    }

    /// Stores what somebody did to a line, and applies it if the line is here.
    static func perform(
        _ act: NewLineAct, with peer: PeerID, me: PeerID, _ person: Bound, _ transaction: Transaction,
        at now: WallTime
    ) throws -> ChangedLine<StoredMessage>? {
        let database = transaction.database
        let message = try one(act.act.line, with: peer, person, in: database)
        let target = try message.map { message in
            LineActs.Target(
                number: message.number, author: message.isMine ? me : peer, isDeleted: message.isDeleted,
                records: [message.record].compactMap(\.self) + (try copies(of: message.number, in: database)))
        }
        let acts = LineActs(transaction: transaction, person: person, scope: .messages, place: peer.key)
        guard try acts.perform(act, on: target, at: now), let message else { return nil }
        return try one(message.number, in: database).map {
            ChangedLine(change: act.act.change, author: act.author, line: $0)
        }
    }
}
