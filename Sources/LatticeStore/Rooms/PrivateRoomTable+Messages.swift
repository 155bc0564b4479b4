import GRDB
package import LatticeCore
package import LatticeWire

/// A room key that came by private message and was not taken yet.
package struct StoredRoomOffer: Hashable, Sendable {
    package let number: Int64
    package let author: PeerID
    package let room: RoomName
    package let id: Bytes32
    package let purpose: RoomKeyText.Purpose
    /// The content of the private message, sealed by the caller.
    package let sealed: [UInt8]
    package let isTold: Bool
}

/// A peer to whom a room key is still to go.
package struct StoredRoomErrand: Hashable, Sendable {
    package let number: Int64
    package let key: StoredRoomKey
    package let peer: PeerID
    package let purpose: RoomKeyText.Purpose
}

// Room keys received and sent by private message.
extension PrivateRoomTable {
    /// Limits of stored offers, in total and for one author.
    static let offersMax: Int64 = 64
    static let offersPerAuthorMax: Int64 = 8

    /// Runs inside the transaction that marks the private message as opened.
    static func enter(_ offer: NewRoomOffer, by author: PeerID, for person: Bound, in database: Database) throws {
        try database.run(
            """
            INSERT OR IGNORE INTO room_offer (author, name, id, purpose, sealed, person) VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .key(author.key), .text(offer.room.text), .key(offer.id), .int(Int64(offer.purpose.rawValue)),
                .bytes(offer.sealed), person,
            ])
        try Rooms.overwriting(database) {
            try database.run(
                """
                DELETE FROM room_offer WHERE person = ?3 AND author = ?1 AND number <= (
                  SELECT number FROM room_offer WHERE person = ?3 AND author = ?1
                  ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """, [.key(author.key), .int(offersPerAuthorMax), person])
            try database.run(
                """
                DELETE FROM room_offer WHERE person = ?1 AND number <= (
                  SELECT number FROM room_offer WHERE person = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """, [person, .int(offersMax)])
        }
    }

    /// In order of arrival.
    package func offers() async throws(StoreError) -> [StoredRoomOffer] {
        let person = access.person
        return try await access.read { database in
            try database.all(
                """
                SELECT number, author, name, id, purpose, sealed, told FROM room_offer WHERE person = ? ORDER BY number
                """, [person]
            ) { row in
                let purpose = RoomKeyText.Purpose(rawValue: UInt8(clamping: row.int(4)))
                guard let author = row.bytes32(1), let id = row.bytes32(3), let purpose else {
                    throw DatabaseError.damaged("an offer has no author, id or purpose")
                }
                return StoredRoomOffer(
                    number: row.int(0), author: PeerID(author), room: try Rooms.name(row.text(2)), id: id,
                    purpose: purpose, sealed: row.bytes(5), isTold: row.int(6) == 1)
            }
        }
    }

    package func drop(offers numbers: [Int64]) async throws(StoreError) {
        if numbers.isEmpty { return }
        try await access.commit { transaction in
            let database = transaction.database
            try Rooms.overwriting(database) {
                for number in numbers { try database.run("DELETE FROM room_offer WHERE number = ?", [.int(number)]) }
            }
        }
    }

    package func noteReported(offers numbers: [Int64]) async throws(StoreError) {
        if numbers.isEmpty { return }
        try await access.commit { transaction in
            let database = transaction.database
            for number in numbers {
                try database.run("UPDATE room_offer SET told = 1 WHERE number = ?", [.int(number)])
            }
        }
    }

    static func addErrand(
        _ key: Int64, to peer: PeerID, _ purpose: RoomKeyText.Purpose, expires: WallTime, in database: Database
    ) throws {
        try database.run(
            "INSERT INTO room_errand (key, peer, purpose, expires) VALUES (?, ?, ?, ?)",
            [.int(key), .key(peer.key), .int(Int64(purpose.rawValue)), .int(expires.milliseconds)])
    }

    /// Marks a peer as invited, and queues the key for them.
    package func invite(
        _ peer: PeerID, name: String?, under key: Int64, expires: WallTime
    ) async throws(StoreError) {
        try await access.commit { transaction in
            let database = transaction.database
            _ = try Rooms.note(StoredRoomMember(peer: peer, name: name, state: .invited), under: key, in: database)
            try database.run(
                "DELETE FROM room_errand WHERE key = ? AND peer = ? AND record IS NULL", [.int(key), .key(peer.key)])
            try Self.addErrand(key, to: peer, .invitation, expires: expires, in: database)
        }
    }

    /// Those that are neither sealed nor expired.
    package func errands(at wallTime: WallTime, limit: Int) async throws(StoreError) -> [StoredRoomErrand] {
        let person = access.person
        return try await access.read { database in
            let rows = try database.all(
                """
                SELECT number, key, peer, purpose FROM room_errand WHERE record IS NULL AND expires > ?
                  AND key IN (SELECT seq FROM room_key WHERE room IN (SELECT number FROM room WHERE person = ?))
                ORDER BY number LIMIT ?
                """, [.int(wallTime.milliseconds), person, .int(Int64(limit))]
            ) { (number: $0.int(0), key: $0.int(1), peer: $0.bytes32(2), purpose: $0.int(3)) }
            return try rows.compactMap { row in
                guard let peer = row.peer, let purpose = RoomKeyText.Purpose(rawValue: UInt8(clamping: row.purpose))
                else { throw DatabaseError.damaged("an errand has no peer or purpose") }
                let key = try Rooms.keys("WHERE room_key.seq = ?", [.int(row.key)], in: database).first
                return key.map {
                    StoredRoomErrand(number: row.number, key: $0, peer: PeerID(peer), purpose: purpose)
                }
            }
        }
    }

    /// Stores the record that a key was sealed into, unless another process already has.
    ///
    /// - Returns: the outcome for the record; `nil` if it was sealed already.
    package func send(
        errand number: Int64, prekey: UInt64, at wallTime: WallTime,
        _ make: @escaping @Sendable (HybridTime) -> VerifiedRecord
    ) async throws(StoreError) -> InsertOutcome? {
        try await access.commit { transaction in
            let database = transaction.database
            let isOpen = try database.one(
                "SELECT 1 FROM room_errand WHERE number = ? AND record IS NULL", [.int(number)]
            ) { $0.int(0) }
            guard isOpen != nil else { return nil }
            let (record, outcome) = try transaction.enter(access.draft(at: wallTime, waits: true, make))
            guard outcome == .added else { return outcome }
            try database.run(
                "UPDATE room_errand SET record = ?, prekey = ? WHERE number = ?",
                [.key(record.id.hash), .int(Int64(bitPattern: prekey)), .int(number)])
            return outcome
        }
    }
}

/// A room key that came by private message.
package struct NewRoomOffer: Hashable, Sendable {
    package let room: RoomName
    package let id: Bytes32
    package let purpose: RoomKeyText.Purpose
    /// The sealed content of the private message.
    package let sealed: [UInt8]

    package init(room: RoomName, id: Bytes32, purpose: RoomKeyText.Purpose, sealed: [UInt8]) {
        self.room = room
        self.id = id
        self.purpose = purpose
        self.sealed = sealed
    }
}
