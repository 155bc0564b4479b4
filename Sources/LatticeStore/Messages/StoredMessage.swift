import GRDB
package import LatticeCore
package import LatticeWire

/// A stored line between the owner and one other person.
package struct StoredMessage: Hashable, Sendable {
    /// The delivery state of an own line; it only moves forward.
    package enum State: Int64, Hashable, Sendable {
        case waiting = 0
        case relayed = 1
        case delivered = 2
        case lapsed = 3
    }

    package let number: Int64
    /// The persona, if it is not the owner; `nil` for the owner.
    package let person: PeerID?
    package let peer: PeerID
    package let isMine: Bool
    package let name: String
    /// The other's name, from their last line or their profile.
    package let peerName: String?
    package let text: String
    package let isAction: Bool
    package let isNotice: Bool
    package let date: WallTime
    package let isLate: Bool
    /// `nil` until it is sealed.
    package let record: RecordID?
    package let state: State
    /// When sending it becomes useless.
    package let expires: WallTime
    /// The prekey of the other to which it was sealed last.
    package let prekey: UInt64?
    /// The line that it answers.
    package let replyTo: RecordID?
    /// The file that it sends; `nil` also of a deleted line.
    package let file: SealedFile?
    /// The other person has all of the file of this own line.
    package let isFileDelivered: Bool
    package let isEdited: Bool
    /// Its author deleted it; the text is empty.
    package let isDeleted: Bool
    /// In the order in which they were first given.
    package internal(set) var reactions: [StoredReaction] = []
    /// The record that brought it first, if it is stored under another id.
    let origin: RecordID?

    /// The line's id in acts and answers: its first record. `nil` until it is sealed.
    package var line: RecordID? { origin ?? record }

    static let columns = """
        number, peer, mine, name, text, style, date, late, record, state, coalesce(
          CASE mine WHEN 0 THEN name END,
          (SELECT name FROM message other WHERE other.person = message.person AND other.peer = message.peer AND other.mine = 0
            ORDER BY number DESC LIMIT 1),
          (SELECT name FROM profile WHERE profile.peer = (SELECT seq FROM peer WHERE key = message.peer))),
          expires, prekey, person, reply, edited, erased, origin, file, file_state
        """

    /// Reads a row that begins with `columns`.
    init(_ row: borrowing RawStatement) throws {
        guard let key = row.bytes32(1), let state = State(rawValue: row.int(9)) else {
            throw DatabaseError.damaged("message \(row.int(0)) has no peer or state")
        }
        number = row.int(0)
        person = row.bytes32(13).map(PeerID.init)
        peer = PeerID(key)
        isMine = row.int(2) == 1
        name = row.text(3)
        text = row.text(4)
        let style = LineStyle(number: row.int(5))
        (isAction, isNotice) = (style.isAction, style.isNotice)
        date = WallTime(milliseconds: row.int(6))
        isLate = row.int(7) == 1
        record = row.bytes32(8).map(RecordID.init)
        self.state = state
        peerName = row.isNull(10) ? nil : row.text(10)
        expires = WallTime(milliseconds: row.int(11))
        prekey = row.optionalInt(12).map { UInt64(bitPattern: $0) }
        replyTo = row.bytes32(14).map(RecordID.init)
        isEdited = row.int(15) == 1
        isDeleted = row.int(16) == 1
        origin = row.bytes32(17).map(RecordID.init)
        file = row.isNull(18) ? nil : try SealedFile(stored: row.bytes(18))
        isFileDelivered = isMine && file != nil && row.int(19) == 2
    }
}

package struct NewMessage: Hashable, Sendable {
    package let peer: PeerID
    package let name: PeerName
    package let text: String
    package let isAction: Bool
    package let isNotice: Bool
    /// The line that it answers.
    package let replyTo: RecordID?
    /// The file that it sends.
    package let file: SealedFile?

    var style: LineStyle { LineStyle(isAction: isAction, isNotice: isNotice) }

    package init(
        peer: PeerID, name: PeerName, text: String, isAction: Bool, isNotice: Bool = false,
        replyTo: RecordID? = nil, file: SealedFile? = nil
    ) {
        self.file = file
        self.isNotice = isNotice
        self.replyTo = replyTo
        self.peer = peer
        self.name = name
        self.text = text
        self.isAction = isAction
    }
}

/// Steps inside a transaction that several requests share.
enum MessageRows {
    /// Limits of stored lines, for one conversation and in total: more are a flood, and the oldest are deleted.
    static let perPeerMax: Int64 = 10_000
    static let max: Int64 = 100_000

    static func all(_ end: String, _ values: [Bound], in database: Database) throws -> [StoredMessage] {
        let found = try database.all("SELECT \(StoredMessage.columns) FROM message \(end)", values) {
            try StoredMessage($0)
        }
        let areAny = try database.one(
            "SELECT EXISTS (SELECT 1 FROM line_act WHERE scope = 3 AND kind = 3)", []
        ) { $0.int(0) == 1 }
        guard areAny == true else { return found }
        return try found.map { message in
            guard let line = message.line, !message.isDeleted else { return message }
            var message = message
            let person: Bound = message.person.map { .key($0.key) } ?? .bytes([])
            message.reactions = try LineActs.reactions(to: line, person, .messages, message.peer.key, in: database)
            return message
        }
    }

    static func one(_ number: Int64, in database: Database) throws -> StoredMessage? {
        try all("WHERE number = ?", [.int(number)], in: database).first
    }

    /// Moves own private messages forward to a state, never back.
    ///
    /// - Parameters:
    /// - peer: the required recipient; `nil` is any.
    /// - person: the required persona; `.null` is any.
    /// - Returns: the private messages that moved.
    static func advance(
        _ ids: [RecordID], to state: StoredMessage.State, of peer: PeerID?, person: Bound = .null, in database: Database
    ) throws -> [StoredMessage] {
        var moved: [StoredMessage] = []
        for id in ids {
            let found = try all(
                "WHERE record = ?1 AND mine = 1 AND state < 2 AND (?2 IS NULL OR person = ?2)",
                [.key(id.hash), person],
                in: database
            ).first
            guard let found, found.state.rawValue < state.rawValue, peer == nil || found.peer == peer else { continue }
            try database.run(
                "UPDATE message SET state = ? WHERE number = ?", [.int(state.rawValue), .int(found.number)])
            if let now = try one(found.number, in: database) { moved.append(now) }
        }
        return moved
    }

    /// The other person has the files of these own lines. Ids of other lines, and of lines without a file, change nothing.
    ///
    /// - Returns: the lines whose file was not known to be there.
    static func noteFilesThere(
        _ lines: [RecordID], of peer: PeerID, person: Bound, in database: Database
    ) throws -> [StoredMessage] {
        var changed: [StoredMessage] = []
        for line in lines {
            let own = [.key(line.hash), .key(peer.key), person]
            // A line whose file is there was opened.
            try database.run(
                """
                UPDATE message SET file_state = 2, state = CASE WHEN state < 2 THEN 2 ELSE state END
                WHERE record = ? AND mine = 1 AND peer = ? AND person = ? AND file_id IS NOT NULL AND file_state = 0
                """, own)
            guard database.changesCount > 0 else { continue }
            changed += try all("WHERE record = ? AND mine = 1 AND peer = ? AND person = ?", own, in: database)
        }
        return changed
    }

    /// Handles the repeat of a stored line: its author has not received the receipt, so another one is due.
    ///
    /// - Parameter ids: the ids under which it may be stored.
    /// - Returns: whether it is stored.
    static func oweAgain(
        _ ids: [RecordID], to peer: PeerID, by person: Bound, in database: Database
    ) throws -> Bool {
        var isHere = false
        for id in ids {
            try database.run(
                """
                UPDATE message SET owes = 1, file_state = min(file_state, 1)
                WHERE record = ? AND mine = 0 AND peer = ? AND person = ?
                """,
                [.key(id.hash), .key(peer.key), person])
            if database.changesCount > 0 { isHere = true }
        }
        return isHere
    }

    static func trim(_ peer: PeerID, of person: Bound, newest: Int64, in database: Database) throws {
        try database.run(
            """
            DELETE FROM message WHERE person = ?1 AND peer = ?2 AND number <= (
              SELECT number FROM message WHERE person = ?1 AND peer = ?2 ORDER BY number DESC LIMIT 1 OFFSET ?3)
            """, [person, .key(peer.key), .int(perPeerMax)])
        // Numbers are shared by all personas, so each persona's lines are counted now and then.
        guard newest % Rooms.countedEvery == 0 else { return }
        try database.run(
            """
            DELETE FROM message WHERE person = ?1 AND number <= (
              SELECT number FROM message WHERE person = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
            """, [person, .int(person.isEmpty ? max : Rooms.perVisitorMax)])
    }
}
