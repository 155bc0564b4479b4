import GRDB
package import LatticeCore
package import LatticeWire

/// A stored key of a private room.
package struct StoredRoomKey: Hashable, Sendable {
    package let seq: Int64
    package let room: RoomName
    /// The id of the room's first key.
    package let root: Bytes32
    package let id: Bytes32
    package let number: UInt64
    package let parent: Bytes32?
    /// The key was typed, so its number is unknown.
    package let isTyped: Bool
    /// The secret, sealed by the caller.
    package let sealed: [UInt8]
    package let maker: PeerID?
    package let taken: WallTime
    /// The last record that was tried with it.
    package let looked: Int64

    static let columns = """
        room_key.seq, name, root, room_key.id, room_key.number, parent, typed, sealed, maker, taken, looked
        """

    /// Reads a row that begins with `columns`.
    init(_ row: borrowing RawStatement) throws {
        guard let root = row.bytes32(2), let id = row.bytes32(3) else {
            throw DatabaseError.damaged("a key of a room has no id")
        }
        seq = row.int(0)
        room = try Rooms.name(row.text(1))
        self.root = root
        self.id = id
        number = UInt64(max(row.int(4), 0))
        parent = row.bytes32(5)
        isTyped = row.int(6) == 1
        sealed = row.bytes(7)
        maker = row.bytes32(8).map(PeerID.init)
        taken = WallTime(milliseconds: row.int(9))
        looked = row.int(10)
    }
}

/// A key to store.
package struct NewRoomKey: Hashable, Sendable {
    package var room: RoomName
    package var root: Bytes32
    package var id: Bytes32
    package var number: UInt64
    package var parent: Bytes32?
    package var isTyped: Bool
    package var sealed: [UInt8]
    package var maker: PeerID?
    package var members: [RoomKeyText.Member]
    package var removed: [PeerID]

    package init(
        room: RoomName, root: Bytes32, id: Bytes32, number: UInt64 = 0, parent: Bytes32? = nil, isTyped: Bool = false,
        sealed: [UInt8], maker: PeerID? = nil, members: [RoomKeyText.Member] = [], removed: [PeerID] = []
    ) {
        self.room = room
        self.root = root
        self.id = id
        self.number = number
        self.parent = parent
        self.isTyped = isTyped
        self.sealed = sealed
        self.maker = maker
        self.members = members
        self.removed = removed
    }
}

/// A past, present or invited member of a room, under one of its keys.
package struct StoredRoomMember: Hashable, Sendable {
    package enum State: Int64, Hashable, Sendable {
        case invited = 1
        case here = 2
        case left = 3
        /// Removed when the key was made.
        case removed = 4
    }

    package let peer: PeerID
    package let name: String?
    package let state: State

    package init(peer: PeerID, name: String?, state: State) {
        self.peer = peer
        self.name = name
        self.state = state
    }
}

package struct StoredRoomLine: Hashable, Sendable {
    package let number: Int64
    package let room: RoomName
    package let record: RecordID
    package let author: PeerID
    package let name: String
    package let text: String
    package let isAction: Bool
    package let isNotice: Bool
    package let date: WallTime
    package let isLate: Bool
    /// The line that it answers.
    package let replyTo: RecordID?
    /// The id of the file that it sends; `nil` also of a deleted line.
    package let file: RecordID?
    package let isEdited: Bool
    /// Its author deleted it; the text is empty.
    package let isDeleted: Bool
    /// In the order in which they were first given.
    package internal(set) var reactions: [StoredReaction] = []
    let root: Bytes32

    static let columns = """
        room_line.number, room.name, record, author, room_line.name, text, style, date, late, reply, edited, erased, root,
        file_id
        """

    /// Reads a row that begins with `columns`.
    init(_ row: borrowing RawStatement) throws {
        guard let record = row.bytes32(2), let author = row.bytes32(3), let root = row.bytes32(12) else {
            throw DatabaseError.damaged("line \(row.int(0)) of a room has no record, author or room")
        }
        number = row.int(0)
        room = try Rooms.name(row.text(1))
        self.record = RecordID(record)
        self.author = PeerID(author)
        name = row.text(4)
        text = row.text(5)
        let style = LineStyle(number: row.int(6))
        (isAction, isNotice) = (style.isAction, style.isNotice)
        date = WallTime(milliseconds: row.int(7))
        isLate = row.int(8) == 1
        replyTo = row.bytes32(9).map(RecordID.init)
        isEdited = row.int(10) == 1
        isDeleted = row.int(11) == 1
        self.root = root
        file = row.bytes32(13).map(RecordID.init)
    }
}

/// Steps inside a transaction that several requests share.
enum Rooms {
    /// Limits of stored lines, for one room and in total: more are a flood, and the oldest are deleted.
    static let perRoomMax: Int64 = 10_000
    static let linesMax: Int64 = 100_000
    /// Limit for a persona other than the owner.
    static let perVisitorMax: Int64 = 10_000
    /// Lines between two counts.
    static let countedEvery: Int64 = 64
    /// Prefix in `setting` for the owner's private rooms.
    static let mark = "private-room "
    /// Prefix in `setting` for the private rooms of another persona, before their id.
    static let visitorMark = "visitor-room "

    static func name(_ text: String) throws -> RoomName {
        do {
            return try RoomName(text)
        } catch {
            throw DatabaseError.damaged("a private room has no name")
        }
    }

    /// The current key comes first.
    static func keys(_ end: String, _ values: [Bound], in database: Database) throws -> [StoredRoomKey] {
        try database.all(
            """
            SELECT \(StoredRoomKey.columns) FROM room_key JOIN room ON room.number = room_key.room \(end)
            ORDER BY name, yields, room_key.number DESC, room_key.id
            """, values
        ) { try StoredRoomKey($0) }
    }

    static func keys(of room: RoomName, _ person: Bound, in database: Database) throws -> [StoredRoomKey] {
        try keys("WHERE person = ? AND name = ?", [person, .text(room.text)], in: database)
    }

    static func members(_ key: Int64, in database: Database) throws -> [StoredRoomMember] {
        try database.all("SELECT peer, name, state FROM room_member WHERE key = ? ORDER BY peer", [.int(key)]) { row in
            guard let peer = row.bytes32(0), let state = StoredRoomMember.State(rawValue: row.int(2)) else {
                throw DatabaseError.damaged("a member of a room has no key or state")
            }
            return StoredRoomMember(peer: PeerID(peer), name: row.isNull(1) ? nil : row.text(1), state: state)
        }
    }

    /// A removed member stays removed under that key until they are invited again. An invitation does not undo a state.
    ///
    /// - Returns: whether this is a change.
    static func note(_ member: StoredRoomMember, under key: Int64, in database: Database) throws -> Bool {
        let known = try members(key, in: database)
        let before = known.first { $0.peer == member.peer }
        guard before != nil || known.count < RoomKeyText.membersMax else { return false }
        let isNews: Bool
        switch (before?.state, member.state) {
        case (.removed, .here), (.removed, .left), (.removed, .removed): return false
        case (.here, .invited): isNews = false
        case (let state, let new): isNews = state != new
        }
        let state = isNews ? member.state : before?.state ?? member.state
        try database.run(
            """
            INSERT INTO room_member (key, peer, name, state) VALUES (?, ?, ?, ?)
            ON CONFLICT (key, peer) DO UPDATE SET name = coalesce(excluded.name, name), state = excluded.state
            """,
            [.int(key), .key(member.peer.key), member.name.map(Bound.text) ?? .null, .int(state.rawValue)])
        return isNews
    }

    static func trim(_ room: RoomName, _ person: Bound, newest: Int64, in database: Database) throws {
        try database.run(
            """
            DELETE FROM room_line WHERE room = (SELECT number FROM room WHERE person = ?3 AND name = ?1) AND number <= (
              SELECT number FROM room_line WHERE room = (SELECT number FROM room WHERE person = ?3 AND name = ?1)
              ORDER BY number DESC LIMIT 1 OFFSET ?2)
            """, [.text(room.text), .int(perRoomMax), person])
        // Numbers are shared by all personas, so each persona's lines are counted now and then.
        guard newest % countedEvery == 0 else { return }
        try database.run(
            """
            DELETE FROM room_line WHERE room IN (SELECT number FROM room WHERE person = ?1) AND number <= (
              SELECT number FROM room_line WHERE room IN (SELECT number FROM room WHERE person = ?1)
              ORDER BY number DESC LIMIT 1 OFFSET ?2)
            """, [person, .int(person.isEmpty ? linesMax : perVisitorMax)])
    }

    /// Overwrites everything that `work` deletes.
    static func overwriting<Value>(_ database: Database, _ work: () throws -> Value) throws -> Value {
        let wasOn = try database.one("PRAGMA secure_delete", []) { $0.int(0) == 1 } ?? false
        if wasOn { return try work() }
        try database.execute(sql: "PRAGMA secure_delete = ON")
        defer { _ = Result { try database.execute(sql: "PRAGMA secure_delete = OFF") } }
        return try work()
    }
}
