import GRDB
package import LatticeCore
import LatticeWire

/// Private rooms of one persona, with their keys and members.
package struct PrivateRoomTable: Sendable {
    let access: PersonaAccess

    package enum HoldOutcome: Hashable, Sendable {
        case held
        /// It was stored already.
        case known
        /// The limit of rooms is reached.
        case tooMany
    }

    /// All private rooms, including those whose keys were lost with a damaged file.
    package func names() async throws(StoreError) -> [RoomName] {
        let mark = mark
        return try await access.read { database in
            try database.all(
                "SELECT key FROM setting WHERE substr(key, 1, \(mark.count)) = ? ORDER BY key", [.text(mark)]
            ) { try Rooms.name(String($0.text(0).dropFirst(mark.count))) }
        }
    }

    /// The prefix in `setting` for the names of this person's private rooms.
    private var mark: String {
        access.visitor.map { "\(Rooms.visitorMark)\($0.hex) " } ?? Rooms.mark
    }

    /// By room; the current key of each room comes first.
    package func keys() async throws(StoreError) -> [StoredRoomKey] {
        let person = access.person
        return try await access.read { try Rooms.keys("WHERE person = ?", [person], in: $0) }
    }

    /// The current key comes first.
    package func keys(of room: RoomName) async throws(StoreError) -> [StoredRoomKey] {
        let person = access.person
        return try await access.read { try Rooms.keys(of: room, person, in: $0) }
    }

    /// Stores a key and marks the room as private. Members keep their names from the previous key.
    ///
    /// - Parameters:
    /// - roomsMax: limit of private rooms.
    /// - keysMax: limit of keys for the room; beyond it the oldest are deleted.
    /// - tells: the peers to send this key to.
    /// - expires: when sending it becomes useless.
    package func hold(
        _ key: NewRoomKey, at wallTime: WallTime, roomsMax: Int, keysMax: Int, telling tells: [PeerID] = [],
        expires: WallTime = WallTime(milliseconds: 0)
    ) async throws(StoreError) -> HoldOutcome {
        let (person, mark) = (access.person, mark)
        let outcome = try await access.commit { transaction in
            let database = transaction.database
            let known = try Rooms.keys(of: key.room, person, in: database)
            if known.contains(where: { $0.id == key.id }) { return HoldOutcome.known }
            if known.isEmpty {
                let rooms = try database.one("SELECT count(*) FROM room WHERE person = ?", [person]) { $0.int(0) } ?? 0
                guard rooms < Int64(roomsMax) else { return .tooMany }
                try StoredSettings.set(mark + key.room.text, "1", in: database)
                try database.run(
                    "INSERT OR IGNORE INTO room (name, root, person) VALUES (?, ?, ?)",
                    [.text(key.room.text), .key(key.root), person])
            }
            // A typed key came without its root.
            try database.run(
                "UPDATE room SET root = ? WHERE person = ? AND name = ?",
                [.key(key.root), person, .text(key.room.text)])
            try Self.insert(key, person, at: wallTime, in: database)
            let seq = database.lastInsertedRowID
            let parent = known.first { $0.id == key.parent }
            let names = try parent.map { try Rooms.members($0.seq, in: database) } ?? []
            for member in key.members {
                let name = names.first { $0.peer == member.peer }?.name
                let state: StoredRoomMember.State = member.state == .invited ? .invited : .here
                _ = try Rooms.note(
                    StoredRoomMember(peer: member.peer, name: name, state: state), under: seq, in: database)
            }
            for peer in key.removed {
                try database.run(
                    "INSERT OR REPLACE INTO room_member (key, peer, name, state) VALUES (?, ?, ?, 4)",
                    [.int(seq), .key(peer.key), (names.first { $0.peer == peer }?.name).map(Bound.text) ?? .null])
            }
            for peer in key.removed {
                try database.run(
                    """
                    DELETE FROM room_errand WHERE peer = ? AND record IS NULL
                      AND key IN (
                        SELECT seq FROM room_key WHERE room = (SELECT number FROM room WHERE person = ? AND name = ?))
                    """, [.key(peer.key), person, .text(key.room.text)])
            }
            for peer in tells {
                try Self.addErrand(seq, to: peer, .renewal, expires: expires, in: database)
            }
            try Self.settle(key.room, person, keysMax: keysMax, in: database)
            return .held
        }
        return outcome
    }

    private static func insert(_ key: NewRoomKey, _ person: Bound, at wallTime: WallTime, in database: Database) throws
    {
        try database.run(
            """
            INSERT INTO room_key (room, id, number, parent, typed, sealed, maker, taken)
            VALUES ((SELECT number FROM room WHERE person = ? AND name = ?), ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                person, .text(key.room.text), .key(key.id), .int(Int64(key.number)), key.parent.map(Bound.key) ?? .null,
                .int(key.isTyped ? 1 : 0), .bytes(key.sealed), (key.maker?.key).map(Bound.key) ?? .null,
                .int(wallTime.milliseconds),
            ])
    }

    /// Marks keys that yield to others, and deletes those that are too old.
    private static func settle(_ room: RoomName, _ person: Bound, keysMax: Int, in database: Database) throws {
        try database.run(
            """
            UPDATE room_key SET yields = EXISTS (
              SELECT 1 FROM room_key other JOIN room_member ON room_member.key = other.seq
              WHERE other.room = room_key.room AND other.parent = room_key.parent AND other.seq <> room_key.seq
                AND room_member.peer = room_key.maker AND room_member.state = 4)
            WHERE room = (SELECT number FROM room WHERE person = ? AND name = ?)
            """, [person, .text(room.text)])
        let old = try Rooms.keys(of: room, person, in: database).dropFirst(keysMax)
        guard !old.isEmpty else { return }
        try Rooms.overwriting(database) {
            for key in old { try database.run("DELETE FROM room_key WHERE seq = ?", [.int(key.seq)]) }
        }
    }

    /// Deletes a room: its keys, which are overwritten, and its lines. The log that held them is truncated.
    package func forget(_ room: RoomName) async throws(StoreError) {
        let (person, mark) = (access.person, mark)
        try await access.commit { transaction in
            let database = transaction.database
            try Rooms.overwriting(database) {
                try database.run("DELETE FROM room_offer WHERE person = ? AND name = ?", [person, .text(room.text)])
                try database.run(
                    """
                    DELETE FROM line_act WHERE person = ?1 AND scope = 2
                      AND place = (SELECT root FROM room WHERE person = ?1 AND name = ?2)
                    """, [person, .text(room.text)])
                try database.run("DELETE FROM room WHERE person = ? AND name = ?", [person, .text(room.text)])
            }
            try StoredSettings.set(mark + room.text, nil, in: database)
        }
        try await access.file.writer.alone { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    /// All members under a key, including those who left or were removed.
    package func members(under key: Int64) async throws(StoreError) -> [StoredRoomMember] {
        try await access.read { try Rooms.members(key, in: $0) }
    }
}
