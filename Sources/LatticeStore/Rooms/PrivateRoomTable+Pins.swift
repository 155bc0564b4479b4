import GRDB
package import LatticeCore
package import LatticeWire

// Pins of private rooms.
extension PrivateRoomTable {
    /// Limit on authors with a stored pin or removal in one room; the oldest are deleted.
    static let pinsMax: Int64 = 256

    /// The pins that a private room shows: at most three, the newest first.
    ///
    /// - Parameters:
    ///   - unheard: pins by these people and pins of their lines are left out. Pins of missing or deleted lines are left
    ///     out for everybody.
    ///   - now: pins older than 30 days are left out.
    package func pins(
        in room: RoomName, except unheard: Set<PeerID>, at now: WallTime
    ) async throws(StoreError) -> [StoredPin<StoredRoomLine>] {
        let person = access.person
        return try await access.read { database in
            var found: [StoredPin<StoredRoomLine>] = []
            try database.each(
                """
                SELECT author, name, line, text, date FROM room_pin
                WHERE room = (SELECT number FROM room WHERE person = ? AND name = ?) AND (line IS NOT NULL OR text <> '')
                  AND date > ?
                ORDER BY date DESC, author LIMIT ?
                """, [person, .text(room.text), .int(now.milliseconds - Pins.keptMilliseconds), .int(Pins.examinedMax)]
            ) { row in
                guard let author = row.bytes32(0).map(PeerID.init), !unheard.contains(author) else { return true }
                let pinned: StoredPin<StoredRoomLine>.Pinned
                if let id = row.bytes32(2).map(RecordID.init) {
                    guard let line = try Self.line(id, of: room, person, in: database), !line.isDeleted,
                        !unheard.contains(line.author)
                    else { return true }
                    pinned = .line(line)
                } else {
                    pinned = .text(row.text(3))
                }
                found.append(
                    StoredPin(
                        author: author, name: try Self.pinName(row.text(1), author),
                        date: WallTime(milliseconds: row.int(4)), pinned: pinned))
                return found.count < Pins.shownMax
            }
            return found
        }
    }

    private static func pinName(_ text: String, _ author: PeerID) throws -> PeerName {
        do {
            return try PeerName(text)
        } catch {
            throw DatabaseError.damaged("a pin by \(author.short) has no name")
        }
    }

    /// Stores this person's pin, or its removal, if the key that seals it is still the current one.
    ///
    /// - Returns: the change to announce, if any.
    package func pin(
        _ pin: PinBody, under key: StoredRoomKey, at wallTime: WallTime,
        _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) async throws(StoreError) -> PinOutcome {
        let (person, author) = (access.person, access.author)
        return try await access.commit { transaction -> PinOutcome in
            let database = transaction.database
            guard try Rooms.keys(of: key.room, person, in: database).first?.id == key.id else { return .keyChanged }
            if pin.pinned == .nothing, try !Self.hasPin(author, in: key.room, person, database) { return .unchanged }
            let (record, outcome) = try transaction.enter(access.draft(at: wallTime, waits: true, make))
            guard outcome == .added else { return .notStored(outcome) }
            let created = record.record.created
            let isChanged = try Self.keep(
                pin, by: record.author, created, record.id, min(wallTime, created.wallTime), in: key, person,
                transaction, at: wallTime)
            guard isChanged else { return .unchanged }
            return .changed(
                RoomLinesEntered.Pinned(
                    room: key.room, author: record.author, name: pin.name, holds: pin.pinned != .nothing))
        }
    }

    private static func hasPin(
        _ author: PeerID, in room: RoomName, _ person: Bound, _ database: Database
    ) throws -> Bool {
        try database.one(
            """
            SELECT 1 FROM room_pin WHERE room = (SELECT number FROM room WHERE person = ? AND name = ?) AND author = ?
              AND (line IS NOT NULL OR text <> '')
            """, [person, .text(room.text), .key(author.key)]
        ) { _ in true } ?? false
    }

    /// Replaces the author's earlier pin and overwrites its text.
    ///
    /// - Returns: whether the pins that the room shows may have changed.
    static func keep(
        _ pin: PinBody, by author: PeerID, _ created: HybridTime, _ id: RecordID, _ date: WallTime,
        in key: StoredRoomKey, _ person: Bound, _ transaction: Transaction, at now: WallTime
    ) throws -> Bool {
        let database = transaction.database
        let room = try database.one(
            "SELECT number FROM room WHERE person = ? AND name = ?", [person, .text(key.room.text)]
        ) { $0.int(0) }
        guard let room else { return false }
        let before = try database.one(
            "SELECT created, record, line IS NOT NULL OR text <> '' FROM room_pin WHERE room = ? AND author = ?",
            [.int(room), .key(author.key)]
        ) { (created: $0.int(0), record: $0.bytes32(1).map(RecordID.init), holds: $0.int(2) == 1) }
        let made = Int64(clamping: created.rawValue)
        if let before, let current = before.record, (made, id) <= (before.created, current) { return false }
        let (line, text): (RecordID?, String) =
            switch pin.pinned {
            case .nothing: (nil, "")
            case .line(let line): (line, "")
            case .text(let text): (nil, text)
            }
        try Rooms.overwriting(database) {
            try database.run(
                """
                INSERT OR REPLACE INTO room_pin (room, author, name, line, text, date, created, record)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .int(room), .key(author.key), .text(pin.name.text), (line?.hash).map(Bound.key) ?? .null,
                    .text(text),
                    .int(date.milliseconds), .int(made), .key(id.hash),
                ])
            try database.run(
                """
                DELETE FROM room_pin WHERE room = ?1 AND author IN (
                  SELECT author FROM room_pin WHERE room = ?1 ORDER BY date DESC, author LIMIT -1 OFFSET ?2)
                """, [.int(room), .int(pinsMax)])
        }
        if let old = before?.record {
            try LineActs(transaction: transaction, person: person, scope: .room, place: key.root).erase([old], at: now)
        }
        return pin.pinned != .nothing || before?.holds ?? false
    }
}

/// What became of this person's own pin in a private room.
package enum PinOutcome: Hashable, Sendable {
    case changed(RoomLinesEntered.Pinned)
    case unchanged
    /// The room has another key by now; nothing was stored.
    case keyChanged
    /// The store did not take the record of the pin.
    case notStored(InsertOutcome)
}
