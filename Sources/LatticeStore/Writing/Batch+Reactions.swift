import GRDB
import LatticeCore
import LatticeWire

/// Profiles, likes, follows, attendances, emoji, pins, cards, words about crossing and prekeys: the newest of an author and topic replaces the one before it.
extension Batch {
    func insertNewest(_ draft: RecordRow, of record: VerifiedRecord, file: (RecordRow) throws -> Void) throws
        -> InsertOutcome
    {
        let standing = try database.one(
            """
            SELECT \(RecordRow.columns) FROM record
            WHERE author = ? AND kind = ? AND topic = ? AND (\(Schema.replaceable))
            """, [.int(draft.author), .int(draft.kindNumber), .bytes(draft.topic)]
        ) { try RecordRow($0) }
        if let standing, !draft.isNewer(than: standing) { return .superseded }
        if try isBelowFloor(draft) { return .evicted }
        if let standing { try remove(standing) }
        try file(try write(draft, of: record))
        return .added
    }

    func file(_ row: RecordRow, _ profile: ProfileBody) throws {
        try database.run(
            """
            INSERT INTO profile
              (peer, record, name, about, colour, photo, photo_size, photo_width, photo_height, photo_words)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .int(row.author), .int(row.seq), .text(profile.name.text), .text(profile.about),
                .optional((profile.colour?.rgb).map(Int64.init)),
            ] + Self.bound(profile.photo))
        try use(profile.photo, by: row)
    }

    func file(_ row: RecordRow, holds: Bool) throws {
        try database.run(
            "INSERT INTO reaction (target, kind, author, record, date, holds) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .bytes(row.topic), .int(row.kindNumber), .int(row.author), .int(row.seq), .int(row.date),
                .int(holds ? 1 : 0),
            ])
        if row.kind == .follow, row.author == ownerNumber { try state.followsChange(in: database) }
        guard holds else { return }
        if row.kind == .follow {
            // Followed peers get a number even before any record of theirs arrives.
            if row.author == ownerNumber, let key = Bytes32(row.topic) {
                try state.peerNumberMade(PeerID(key), in: database)
            }
            if let key = Bytes32(row.topic), let followed = try state.peerNumber(PeerID(key), in: database),
                state.isPersona(followed), row.author != followed
            {
                try activity.enter(row, of: followed, on: nil)
            }
        } else if let item = try countReaction(row, by: 1), state.isPersona(item.author), row.author != item.author {
            try activity.enter(row, of: item.author, on: item.seq)
        }
    }

    func file(_ row: RecordRow, _ topic: ReactionTopic, holds: Bool) throws {
        guard holds else { return }
        try database.run(
            "INSERT INTO emoji (record, target, emoji, author, created) VALUES (?, ?, ?, ?, ?)",
            [.int(row.seq), .key(topic.target.hash), .text(topic.emoji), .int(row.author), .int(row.created)])
    }

    func file(_ row: RecordRow, _ pin: PinBody) throws {
        guard pin.pinned != .nothing else { return }
        try database.run(
            "INSERT INTO pin (record, room, author, date) VALUES (?, ?, ?, ?)",
            [.int(row.seq), .bytes(row.topic), .int(row.author), .int(row.date)])
    }

    /// - Returns: the item it is counted on, if stored: any item for a like, an event for an attendance.
    private func countReaction(_ row: RecordRow, by change: Int64) throws -> RecordRow? {
        guard let item = try self.row(named: row.topic), item.kind.isItem else { return nil }
        guard row.kind == .like || item.kind == .event else { return nil }
        let column = row.kind == .like ? "likes" : "attendees"
        try database.run(
            "UPDATE item SET \(column) = \(column) + ? WHERE record = ?", [.int(change), .int(item.seq)])
        // During a rebuild the item may not be filed yet; it counts its reactions when it is.
        return database.changesCount > 0 ? item : nil
    }

    /// Runs before the record is removed.
    func unfileReaction(_ row: RecordRow) throws {
        let key: [Bound] = [.bytes(row.topic), .int(row.kindNumber), .int(row.author)]
        let held = try database.one(
            "SELECT holds FROM reaction WHERE target = ? AND kind = ? AND author = ?", key
        ) { $0.int(0) }
        try database.run("DELETE FROM reaction WHERE target = ? AND kind = ? AND author = ?", key)
        if row.kind == .follow, row.author == ownerNumber { try state.followsChange(in: database) }
        if held == 1, row.kind != .follow { _ = try countReaction(row, by: -1) }
    }
}
