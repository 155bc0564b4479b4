import GRDB
package import LatticeCore
package import LatticeWire

/// A record that may be a letter to the owner.
package struct ArrivedLetter: Hashable, Sendable {
    package let seq: Int64
    package let id: RecordID
    package let record: LatticeWire.Record
    /// The earlier of its author's date and its arrival.
    package let date: WallTime
}

/// An opened letter to the owner.
package struct OpenedLetter: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case line(NewLetter, isLate: Bool)
        /// A line that came in another letter before, whether or not that one was opened.
        case again(RecordID, NewLetter, isLate: Bool)
        /// Ids of letters that the author confirms to have opened.
        case receipt([RecordID])
        /// The key of a private room, as an offer.
        case roomKey(NewRoomOffer)
        /// Content of a later version.
        case unknown
    }

    package let arrived: ArrivedLetter
    package let prekey: UInt64
    package let content: Content
    /// The id under which a repeated line is stored. It is made of the author and the first letter, so that nobody can take
    /// the id of another's line.
    package let alias: RecordID?

    package init(_ arrived: ArrivedLetter, prekey: UInt64, content: Content, alias: RecordID? = nil) {
        self.alias = alias
        self.arrived = arrived
        self.prekey = prekey
        self.content = content
    }
}

// Private messages to the persona.
extension LetterTable {
    /// Sealed records of others that have not been tried yet, in order of arrival.
    package func toOpen(limit: Int) async throws(StoreError) -> [ArrivedLetter] {
        let (author, person) = (access.author, access.resident)
        return try await access.read { database in
            let last = try Residents.opened(by: person, in: database)
            return try database.sealedRecords(after: last, notBy: author, limit: limit)
        }
    }

    /// Stores opened letters and the number up to which all were tried, in one transaction, so that each is opened once.
    ///
    /// - Parameter lifetime: how long a receipt is worth sending, in milliseconds.
    /// - Returns: new lines, and own lines that were confirmed as opened.
    package func enter(
        _ opened: [OpenedLetter], upTo seq: Int64, at wall: WallTime, lifetime: Int64, writer: Int64
    ) async throws(StoreError) -> (lines: [StoredLetter], delivered: [StoredLetter]) {
        let (person, resident) = (access.person, access.resident)
        return try await access.commit { transaction in
            let database = transaction.database
            var lines: [StoredLetter] = []
            var delivered: [StoredLetter] = []
            for letter in opened {
                try database.run(
                    "UPDATE prekey SET used = ? WHERE id = ? AND used IS NULL",
                    [.int(wall.milliseconds), .int(Int64(bitPattern: letter.prekey))])
                switch letter.content {
                case .line(let line, let isLate):
                    let ids = [letter.alias].compactMap(\.self)
                    if try Letters.oweAgain(ids, to: line.peer, by: person, in: database) { continue }
                    if let kept = try Self.keep(
                        line, isLate, letter.arrived, as: letter.arrived.id, expires: wall.milliseconds + lifetime,
                        writer: writer, of: person, in: database)
                    {
                        lines.append(kept)
                    }
                case .again(let first, let line, let isLate):
                    guard let alias = letter.alias,
                        try !Letters.oweAgain([first, alias], to: line.peer, by: person, in: database)
                    else { continue }
                    if let kept = try Self.keep(
                        line, isLate, letter.arrived, as: alias, expires: wall.milliseconds + lifetime, writer: writer,
                        of: person, in: database)
                    {
                        lines.append(kept)
                    }
                case .receipt(let ids):
                    let author = letter.arrived.record.author
                    delivered += try Letters.advance(
                        ids, to: .delivered, of: author, person: person, in: database)
                case .roomKey(let offer):
                    try PrivateRoomTable.enter(offer, by: letter.arrived.record.author, for: person, in: database)
                case .unknown: break
                }
            }
            try Residents.note(opened: seq, by: resident, in: database)
            return (lines, delivered)
        }
    }

    private static func keep(
        _ line: NewLetter, _ isLate: Bool, _ arrived: ArrivedLetter, as id: RecordID, expires: Int64, writer: Int64,
        of person: Bound, in database: Database
    ) throws -> StoredLetter? {
        try database.run(
            """
            INSERT OR IGNORE INTO letter
              (peer, mine, name, text, style, date, late, expires, record, state, owes, writer, person)
            VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, 2, 1, ?, ?)
            """,
            [
                .key(line.peer.key), .text(line.name.text), .text(line.text), .int(line.style.number),
                .int(arrived.date.milliseconds), .int(isLate ? 1 : 0), .int(expires), .key(id.hash),
                .int(writer), person,
            ])
        guard database.changesCount > 0 else { return nil }
        let number = database.lastInsertedRowID
        try Letters.trim(line.peer, of: person, newest: number, in: database)
        return try Letters.one(number, in: database)
    }

    // MARK: Receipts

    /// Opened letters that were not confirmed yet, by author, oldest first; only of authors whose keys are stored.
    ///
    /// - Parameter limit: on letters in total.
    package func receiptsOwed(at wall: WallTime, limit: Int) async throws(StoreError) -> [(
        peer: PeerID, letters: [RecordID]
    )] {
        let person = access.person
        let rows = try await access.read { database in
            try database.all(
                """
                SELECT peer, record FROM letter WHERE person = ?3 AND owes = 1 AND expires > ?1 AND EXISTS (
                  SELECT 1 FROM record WHERE author = (SELECT seq FROM peer WHERE key = letter.peer) AND kind = 13
                    AND topic = x'' AND (\(Schema.replaceable)) AND record.expires > ?1)
                ORDER BY peer, number LIMIT ?2
                """,
                [.int(wall.milliseconds), .int(Int64(limit)), person]
            ) { (peer: $0.bytes32(0), record: $0.bytes32(1)) }
        }
        var owed: [(peer: PeerID, letters: [RecordID])] = []
        for case (let peer?, let record?) in rows {
            if owed.last?.peer.key != peer { owed.append((PeerID(peer), [])) }
            owed[owed.count - 1].letters.append(RecordID(record))
        }
        return owed
    }

    /// Stores the record that confirms letters.
    ///
    /// - Parameter make: returns `nil` if they cannot be confirmed.
    package func sendReceipt(
        for letters: [RecordID], at wall: WallTime, _ make: (@Sendable (HybridTime) -> VerifiedRecord)?
    ) async throws(StoreError) {
        let person = access.person
        try await access.commit { transaction in
            let database = transaction.database
            if let make { _ = try transaction.enter(access.draft(at: wall, waits: true, make)) }
            for id in letters {
                try database.run("UPDATE letter SET owes = 0 WHERE record = ? AND person = ?", [.key(id.hash), person])
            }
        }
    }
}

extension Database {
    /// Sealed records after a number, in order of arrival. If `author` is `nil`, anybody's.
    func sealedRecords(after seq: Int64, notBy author: PeerID? = nil, limit: Int) throws -> [ArrivedLetter] {
        let rows = try all(
            """
            SELECT seq, id, date, bytes FROM record
            WHERE kind = 12 AND seq > ? AND erased = 0 AND author <> coalesce((SELECT seq FROM peer WHERE key = ?), 0)
            ORDER BY seq LIMIT ?
            """, [.int(seq), author.map { .key($0.key) } ?? .null, .int(Int64(limit))]
        ) { (seq: $0.int(0), id: $0.bytes32(1), date: $0.int(2), bytes: $0.bytes(3)) }
        return try rows.map { row in
            guard let id = row.id else { throw DatabaseError.damaged("record \(row.seq) has no id") }
            return ArrivedLetter(
                seq: row.seq, id: RecordID(id), record: try Batch.signed(row.bytes).record,
                date: WallTime(milliseconds: row.date))
        }
    }
}
