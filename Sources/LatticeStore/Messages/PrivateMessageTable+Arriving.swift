import GRDB
package import LatticeCore
package import LatticeWire

/// A record that may be a private message to the owner.
package struct ArrivedMessage: Hashable, Sendable {
    package let seq: Int64
    package let id: RecordID
    package let record: LatticeWire.Record
    /// The earlier of its author's date and its arrival.
    package let date: WallTime
}

package struct OpenedMessage: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case line(NewMessage, isLate: Bool)
        /// A line that came in another private message before, whether or not that one was opened.
        case again(RecordID, NewMessage, isLate: Bool)
        /// Ids of private messages that the author confirms to have opened.
        case receipt([RecordID])
        /// Private messages whose files the author says to have.
        case filesHere([RecordID])
        case roomKey(NewRoomOffer)
        case act(SealedAct)
        /// Content of a later version.
        case unknown
    }

    package let arrived: ArrivedMessage
    package let prekey: UInt64
    package let content: Content
    /// The id under which a repeated line is stored. It is made of the author and the first private message, so that nobody
    /// can take the id of another's line.
    package let alias: RecordID?

    package init(_ arrived: ArrivedMessage, prekey: UInt64, content: Content, alias: RecordID? = nil) {
        self.alias = alias
        self.arrived = arrived
        self.prekey = prekey
        self.content = content
    }
}

// Private messages to the persona.
extension PrivateMessageTable {
    /// Sealed records of others that have not been tried yet, in order of arrival.
    package func toOpen(limit: Int) async throws(StoreError) -> [ArrivedMessage] {
        let (author, person) = (access.author, access.visitor)
        return try await access.read { database in
            let last = try Visitors.opened(by: person, in: database)
            return try database.sealedRecords(after: last, notBy: author, limit: limit)
        }
    }

    /// Stores opened private messages and the number up to which all were tried, in one transaction, so that each is opened
    /// once.
    ///
    /// - Parameter lifetime: how long a receipt is worth sending, in milliseconds.
    /// - Returns: new lines, own lines that came further, and lines that the other changed.
    package func enter(
        _ opened: [OpenedMessage], upTo seq: Int64, at wallTime: WallTime, lifetime: Int64, writer: Int64
    ) async throws(StoreError) -> MessagesEntered {
        let (person, visitor) = (access.person, access.visitor)
        return try await access.commit { transaction in
            let database = transaction.database
            var entered = MessagesEntered()
            for message in opened {
                try database.run(
                    "UPDATE prekey SET used = ? WHERE id = ? AND used IS NULL",
                    [.int(wallTime.milliseconds), .int(Int64(bitPattern: message.prekey))])
                switch message.content {
                case .line(let line, let isLate):
                    let ids = [message.alias].compactMap(\.self)
                    if try MessageRows.oweAgain(ids, to: line.peer, by: person, in: database) {
                        try Self.drop(message.arrived, from: line.peer, of: person, transaction, at: wallTime)
                        continue
                    }
                    let row = NewRow(
                        line: line, isLate: isLate, id: message.arrived.id, origin: nil,
                        expires: wallTime.milliseconds + lifetime, writer: writer)
                    if let kept = try Self.keep(row, message.arrived, of: person, transaction, at: wallTime) {
                        entered.lines.append(kept)
                    }
                case .again(let first, let line, let isLate):
                    guard let alias = message.alias else { continue }
                    if try MessageRows.oweAgain([first, alias], to: line.peer, by: person, in: database) {
                        try Self.drop(message.arrived, from: line.peer, of: person, transaction, at: wallTime)
                        continue
                    }
                    let row = NewRow(
                        line: line, isLate: isLate, id: alias, origin: first,
                        expires: wallTime.milliseconds + lifetime, writer: writer)
                    if let kept = try Self.keep(row, message.arrived, of: person, transaction, at: wallTime) {
                        entered.lines.append(kept)
                    }
                case .receipt(let ids):
                    let author = message.arrived.record.author
                    entered.delivered += try MessageRows.advance(
                        ids, to: .delivered, of: author, person: person, in: database)
                case .filesHere(let ids):
                    entered.delivered += try MessageRows.noteFilesThere(
                        ids, of: message.arrived.record.author, person: person, in: database)
                case .roomKey(let offer):
                    try PrivateRoomTable.enter(offer, by: message.arrived.record.author, for: person, in: database)
                case .act(let act):
                    let record = message.arrived.record
                    let new = NewLineAct(
                        act: act, author: record.author, created: record.created, record: message.arrived.id)
                    let changed = try MessageRows.perform(
                        new, with: record.author, me: access.author, person, transaction, at: wallTime)
                    if let changed { entered.acts.append(changed) }
                case .unknown: break
                }
            }
            try Visitors.note(opened: seq, by: visitor, in: database)
            return entered
        }
    }

    /// A line to store.
    private struct NewRow {
        let line: NewMessage
        let isLate: Bool
        let id: RecordID
        /// The record that brought it first, if the id is another.
        let origin: RecordID?
        let expires: Int64
        let writer: Int64
    }

    /// Erases the record of a line that is stored already: its text must not outlive the line.
    private static func drop(
        _ arrived: ArrivedMessage, from peer: PeerID, of person: Bound, _ transaction: Transaction, at now: WallTime
    ) throws {
        try LineActs(transaction: transaction, person: person, scope: .messages, place: peer.key)
            .erase([arrived.id], at: now)
    }

    private static func keep(
        _ new: NewRow, _ arrived: ArrivedMessage, of person: Bound, _ transaction: Transaction, at now: WallTime
    ) throws -> StoredMessage? {
        let (database, line) = (transaction.database, new.line)
        try database.run(
            """
            INSERT OR IGNORE INTO message
              (peer, mine, name, text, style, date, late, expires, record, state, owes, writer, person, origin, reply,
                file, file_id)
            VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, 2, 1, ?, ?, ?, ?, ?, ?)
            """,
            [
                .key(line.peer.key), .text(line.name.text), .text(line.text), .int(line.style.number),
                .int(arrived.date.milliseconds), .int(new.isLate ? 1 : 0), .int(new.expires), .key(new.id.hash),
                .int(new.writer), person, new.origin.map { .key($0.hash) } ?? .null,
                line.replyTo.map { .key($0.hash) } ?? .null,
            ] + Bound.file(line.file))
        guard database.changesCount > 0 else { return nil }
        let number = database.lastInsertedRowID
        try MessageRows.trim(line.peer, of: person, newest: number, in: database)
        let acts = LineActs(transaction: transaction, person: person, scope: .messages, place: line.peer.key)
        let target = LineActs.Target(number: number, author: line.peer, isDeleted: false, records: [arrived.id])
        if arrived.id != new.id { try MessageRows.note(copy: arrived.id, of: number, in: database) }
        guard try acts.settle(target, as: new.origin ?? new.id, at: now) else { return nil }
        return try MessageRows.one(number, in: database)
    }

    /// Opened private messages that were not confirmed yet, by author, oldest first; only of authors whose keys are stored.
    ///
    /// - Parameter limit: on private messages in total.
    package func receiptsOwed(at wallTime: WallTime, limit: Int) async throws(StoreError) -> [(
        peer: PeerID, messages: [RecordID]
    )] {
        let person = access.person
        let rows = try await access.read { database in
            try database.all(
                """
                SELECT peer, record FROM message WHERE person = ?3 AND owes = 1 AND expires > ?1 AND EXISTS (
                  SELECT 1 FROM record WHERE author = (SELECT seq FROM peer WHERE key = message.peer) AND kind = 13
                    AND topic = x'' AND (\(Schema.replaceable)) AND record.expires > ?1)
                ORDER BY peer, number LIMIT ?2
                """,
                [.int(wallTime.milliseconds), .int(Int64(limit)), person]
            ) { (peer: $0.bytes32(0), record: $0.bytes32(1)) }
        }
        var owed: [(peer: PeerID, messages: [RecordID])] = []
        for case (let peer?, let record?) in rows {
            if owed.last?.peer.key != peer { owed.append((PeerID(peer), [])) }
            owed[owed.count - 1].messages.append(RecordID(record))
        }
        return owed
    }

    /// Stores the record that confirms private messages.
    ///
    /// - Parameter make: returns `nil` if they cannot be confirmed.
    package func sendReceipt(
        for messages: [RecordID], at wallTime: WallTime, _ make: (@Sendable (HybridTime) -> VerifiedRecord)?
    ) async throws(StoreError) {
        let person = access.person
        try await access.commit { transaction in
            let database = transaction.database
            if let make { _ = try transaction.enter(access.draft(at: wallTime, waits: true, make)) }
            for id in messages {
                try database.run(
                    "UPDATE message SET owes = 0 WHERE record = ? AND person = ?", [.key(id.hash), person])
            }
        }
    }
}

/// The result of storing opened private messages.
package struct MessagesEntered: Hashable, Sendable {
    package var lines: [StoredMessage] = []
    /// Own lines that the other opened, or whose file the other has now.
    package var delivered: [StoredMessage] = []
    /// Lines that the other changed, in the order in which that arrived.
    package var acts: [ChangedLine<StoredMessage>] = []
}

extension Database {
    /// Sealed records after a number, in order of arrival. If `author` is `nil`, anybody's.
    func sealedRecords(after seq: Int64, notBy author: PeerID? = nil, limit: Int) throws -> [ArrivedMessage] {
        let rows = try all(
            """
            SELECT seq, id, date, bytes FROM record
            WHERE kind = 12 AND seq > ? AND erased = 0 AND author <> coalesce((SELECT seq FROM peer WHERE key = ?), 0)
            ORDER BY seq LIMIT ?
            """, [.int(seq), author.map { .key($0.key) } ?? .null, .int(Int64(limit))]
        ) { (seq: $0.int(0), id: $0.bytes32(1), date: $0.int(2), bytes: $0.bytes(3)) }
        return try rows.map { row in
            guard let id = row.id else { throw DatabaseError.damaged("record \(row.seq) has no id") }
            return ArrivedMessage(
                seq: row.seq, id: RecordID(id), record: try Batch.signed(row.bytes).record,
                date: WallTime(milliseconds: row.date))
        }
    }
}
