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
}

// What people do to private messages.
extension PrivateMessageTable {
    /// Does what the owner wants to a line that is sealed; the act is sealed later.
    ///
    /// - Parameter unsealedMax: the limit of acts that wait to be sealed.
    /// - Returns: the line as it is then, `nil` if nothing changed; `nil` if that limit is reached.
    package func act(
        _ act: SealedAct, with peer: PeerID, at wallTime: WallTime, unsealedMax: Int
    ) async throws(StoreError) -> ChangedLine<StoredMessage>?? {
        let (person, me) = (access.person, access.author)
        return try await access.commit { transaction -> ChangedLine<StoredMessage>?? in
            let waiting = try transaction.database.one(
                "SELECT count(*) FROM line_act WHERE person = ? AND record IS NULL", [person]
            ) { $0.int(0) }
            guard waiting ?? 0 < Int64(unsealedMax) else { return nil }
            let new = NewLineAct(act: act, author: me, created: HybridTime(wallTime: wallTime), record: nil)
            return .some(try MessageRows.perform(new, with: peer, me: me, person, transaction, at: wallTime))
        }
    }

    /// In the order in which they were done.
    package func unsealedActs(limit: Int) async throws(StoreError) -> [UnsealedAct] {
        let person = access.person
        return try await access.read { database in
            let rows = try database.all(
                """
                SELECT number, place, line, kind, emoji, holds FROM line_act
                WHERE person = ? AND scope = 3 AND record IS NULL ORDER BY number LIMIT ?
                """, [person, .int(Int64(limit))]
            ) { row in
                let what: UnsealedAct.What =
                    switch row.int(3) {
                    case 1: .edit
                    case 2: .deletion
                    default: .emoji(row.text(4), holds: row.int(5) == 1)
                    }
                return (number: row.int(0), place: row.bytes32(1), line: row.bytes32(2), what: what)
            }
            return try rows.compactMap { row in
                guard let place = row.place, let line = row.line else {
                    throw DatabaseError.damaged("act \(row.number) has no place or line")
                }
                let message = try MessageRows.one(RecordID(line), with: PeerID(place), person, in: database)
                return message.map { UnsealedAct(number: row.number, message: $0, what: row.what) }
            }
        }
    }

    /// Stores the record that an act was sealed into, unless another process already has.
    ///
    /// - Returns: the outcome for the record; `nil` if it was sealed already.
    package func send(
        act number: Int64, at wallTime: WallTime, _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) async throws(StoreError) -> InsertOutcome? {
        try await access.commit { transaction in
            let database = transaction.database
            let isOpen = try database.one(
                "SELECT 1 FROM line_act WHERE number = ? AND record IS NULL", [.int(number)]
            ) { $0.int(0) }
            guard isOpen != nil else { return nil }
            let (record, outcome) = try transaction.enter(access.draft(at: wallTime, waits: true, make))
            guard outcome == .added else { return outcome }
            try database.run(
                "UPDATE line_act SET record = ?, created = ? WHERE number = ?",
                [.key(record.id.hash), .int(Int64(clamping: record.record.created.rawValue)), .int(number)])
            return outcome
        }
    }

    /// Lines with these ids, which both people name them by.
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

    /// - Parameter ids: of the records that brought the lines, or under which they are stored; at most `HistoryReader.linesMax`. What
    ///   this persona does not have is left out.
    package func lines(_ ids: [RecordID]) async throws(StoreError) -> [StoredMessage] {
        let person = access.person
        return try await access.read { database in
            try ids.prefix(HistoryReader.linesMax).compactMap { id in
                try MessageRows.all(
                    "WHERE (record = ?1 OR origin = ?1) AND person = ?2", [.key(id.hash), person], in: database
                ).first
            }
        }
    }
}

extension MessageRows {
    static func one(
        _ line: RecordID, with peer: PeerID, _ person: Bound, in database: Database
    ) throws -> StoredMessage? {
        try all(
            "WHERE (record = ?1 OR origin = ?1) AND person = ?2 AND peer = ?3",
            [.key(line.hash), person, .key(peer.key)], in: database
        ).first
    }

    /// Notes what somebody did to a line, and does it if the line is here.
    static func perform(
        _ act: NewLineAct, with peer: PeerID, me: PeerID, _ person: Bound, _ transaction: Transaction,
        at now: WallTime
    ) throws -> ChangedLine<StoredMessage>? {
        let database = transaction.database
        let message = try one(act.act.line, with: peer, person, in: database)
        let target = message.map {
            LineActs.Target(
                number: $0.number, author: $0.isMine ? me : peer, isDeleted: $0.isDeleted, record: $0.record)
        }
        let acts = LineActs(transaction: transaction, person: person, scope: .messages, place: peer.key)
        guard try acts.perform(act, on: target, at: now), let message else { return nil }
        return try one(message.number, in: database).map {
            ChangedLine(change: act.act.change, author: act.author, line: $0)
        }
    }
}
