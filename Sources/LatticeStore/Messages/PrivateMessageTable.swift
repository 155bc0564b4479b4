import GRDB
package import LatticeCore
package import LatticeWire

/// Private messages of one persona, in clear.
package struct PrivateMessageTable: Sendable {
    let access: PersonaAccess

    /// Stores a line of the owner's; it is sealed later.
    ///
    /// - Parameters:
    /// - expires: when sending it becomes useless.
    /// - unsealedMax: the limit of lines that wait to be sealed.
    /// - writer: identifies this process.
    /// - Returns: `nil` if that limit is reached.
    package func keep(
        _ message: NewMessage, at wallTime: WallTime, expires: WallTime, unsealedMax: Int, writer: Int64
    ) async throws(StoreError) -> StoredMessage? {
        let person = access.person
        return try await access.commit { transaction in
            let database = transaction.database
            let waiting = try database.one(
                "SELECT count(*) FROM message WHERE person = ? AND mine = 1 AND state < 2 AND record IS NULL", [person]
            ) { $0.int(0) }
            guard waiting ?? 0 < Int64(unsealedMax) else { return nil }
            try database.run(
                """
                INSERT INTO message
                  (peer, mine, name, text, style, date, late, expires, state, owes, writer, person, reply, file, file_id)
                VALUES (?, 1, ?, ?, ?, ?, 0, ?, 0, 0, ?, ?, ?, ?, ?)
                """,
                [
                    .key(message.peer.key), .text(message.name.text), .text(message.text), .int(message.style.number),
                    .int(wallTime.milliseconds), .int(expires.milliseconds), .int(writer),
                    person, message.replyTo.map { .key($0.hash) } ?? .null,
                ] + Bound.file(message.file))
            let number = database.lastInsertedRowID
            try MessageRows.trim(message.peer, of: person, newest: number, in: database)
            return try MessageRows.one(number, in: database)
        }
    }

    /// Own lines that are neither sealed nor expired, in the order in which they were written.
    package func unsealed(at wallTime: WallTime, limit: Int) async throws(StoreError) -> [StoredMessage] {
        let person = access.person
        return try await access.read { database in
            try MessageRows.all(
                """
                WHERE person = ? AND mine = 1 AND state < 2 AND record IS NULL AND expires > ? ORDER BY number LIMIT ?
                """, [person, .int(wallTime.milliseconds), .int(Int64(limit))], in: database)
        }
    }

    /// Stores the record that a line was sealed into, unless another process already has.
    ///
    /// - Returns: the outcome for the record; `nil` if the line was sealed already.
    package func send(
        message number: Int64, prekey: UInt64, expires: WallTime, at wallTime: WallTime,
        _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) async throws(StoreError) -> InsertOutcome? {
        try await access.commit { transaction in
            let database = transaction.database
            guard let message = try MessageRows.one(number, in: database), message.record == nil else { return nil }
            let (record, outcome) = try transaction.enter(access.draft(at: wallTime, waits: true, make))
            guard outcome == .added else { return outcome }
            try database.run(
                "UPDATE message SET record = ?, prekey = ?, expires = ? WHERE number = ?",
                [
                    .key(record.id.hash), .int(Int64(bitPattern: prekey)), .int(expires.milliseconds), .int(number),
                ])
            return outcome
        }
    }

    /// Own lines that are sealed and not yet confirmed as opened, in the order in which they were written.
    ///
    /// - Parameter peer: the recipient; `nil` is anybody.
    package func sent(
        to peer: PeerID? = nil, at wallTime: WallTime, limit: Int
    ) async throws(StoreError) -> [StoredMessage] {
        let person = access.person
        return try await access.read { database in
            try MessageRows.all(
                """
                WHERE person = ?4 AND mine = 1 AND state < 2 AND record IS NOT NULL AND expires > ?1 AND erased = 0
                  AND (?3 IS NULL OR peer = ?3)
                ORDER BY number LIMIT ?2
                """,
                [.int(wallTime.milliseconds), .int(Int64(limit)), peer.map { .key($0.key) } ?? .null, person],
                in: database)
        }
    }

    /// Stores another record of a line that was sealed before; the line keeps the id of its first.
    ///
    /// - Returns: the outcome for the record; `nil` if another process was faster, or the line was changed since.
    package func sendAgain(
        _ message: StoredMessage, prekey: UInt64, expires: WallTime, at wallTime: WallTime,
        _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) async throws(StoreError) -> InsertOutcome? {
        try await access.commit { transaction in
            let database = transaction.database
            guard let now = try MessageRows.one(message.number, in: database), now.prekey == message.prekey,
                now.state.rawValue < StoredMessage.State.delivered.rawValue, !now.isDeleted, now.text == message.text
            else { return nil }
            let (record, outcome) = try transaction.enter(access.draft(at: wallTime, waits: true, make))
            guard outcome == .added else { return outcome }
            try MessageRows.note(copy: record.id, of: message.number, in: database)
            try database.run(
                "UPDATE message SET prekey = ?, expires = ? WHERE number = ?",
                [.int(Int64(bitPattern: prekey)), .int(expires.milliseconds), .int(message.number)])
            return outcome
        }
    }

    /// Marks own lines that expired before anybody opened them.
    ///
    /// - Returns: the lines newly marked, without deleted ones.
    package func lapse(at wallTime: WallTime) async throws(StoreError) -> [StoredMessage] {
        let due = "WHERE person = ? AND mine = 1 AND state < 2 AND expires <= ? ORDER BY expires LIMIT 1000"
        let now = [access.person, .int(wallTime.milliseconds)]
        guard try await access.read({ try MessageRows.all(due, now, in: $0).isEmpty == false }) else { return [] }
        return try await access.commit { transaction in
            let database = transaction.database
            return try MessageRows.all(due, now, in: database).compactMap { message in
                try database.run("UPDATE message SET state = 3 WHERE number = ?", [.int(message.number)])
                return message.isDeleted ? nil : try MessageRows.one(message.number, in: database)
            }
        }
    }

    /// - Returns: `nil` if the line is no longer stored.
    package func one(_ number: Int64) async throws(StoreError) -> StoredMessage? {
        try await access.read { try MessageRows.one(number, in: $0) }
    }

    /// The last lines exchanged with a peer, oldest first.
    package func lines(with peer: PeerID, limit: Int) async throws(StoreError) -> [StoredMessage] {
        let person = access.person
        return try await access.read { database in
            try MessageRows.all(
                "WHERE person = ? AND peer = ? ORDER BY number DESC LIMIT ?",
                [person, .key(peer.key), .int(Int64(limit))], in: database
            ).reversed()
        }
    }

    /// The last line of each conversation, newest conversation first.
    package func conversations(limit: Int) async throws(StoreError) -> [StoredMessage] {
        let person = access.person
        return try await access.read { database in
            try MessageRows.all(
                """
                WHERE number IN (SELECT max(number) FROM message WHERE person = ? GROUP BY peer)
                ORDER BY number DESC LIMIT ?
                """, [person, .int(Int64(limit))], in: database)
        }
    }

    /// Lines stored after a number by other processes, without deleted ones.
    package func lines(after number: Int64, notBy writer: Int64, limit: Int) async throws(StoreError)
        -> [StoredMessage]
    {
        let person = access.person
        return try await access.read { database in
            try MessageRows.all(
                "WHERE person = ? AND number > ? AND (mine = 0 OR writer <> ?) AND erased = 0 ORDER BY number LIMIT ?",
                [person, .int(number), .int(writer), .int(Int64(limit))], in: database)
        }
    }

    /// The number of the newest line; 0 if there is none.
    package func lastNumber() async throws(StoreError) -> Int64 {
        let person = access.person
        return try await access.read {
            try $0.one("SELECT max(number) FROM message WHERE person = ?", [person]) { $0.optionalInt(0) ?? 0 } ?? 0
        }
    }
}
