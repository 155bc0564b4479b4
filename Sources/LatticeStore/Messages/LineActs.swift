import GRDB
import LatticeCore
import LatticeWire

/// Something done to a sealed line, as it arrived or is about to be sent.
struct NewLineAct {
    let act: SealedAct
    let author: PeerID
    fileprivate(set) var created: HybridTime
    /// `nil` until it is sealed.
    let record: RecordID?

    init(act: SealedAct, author: PeerID, created: HybridTime, record: RecordID?) {
        (self.act, self.author, self.created, self.record) = (act, author, created, record)
    }

    /// 1 an edit, 2 a deletion, 3 an emoji, as in the table.
    fileprivate var kind: Int64 {
        switch act.change {
        case .edit: 1
        case .deletion: 2
        case .emoji: 3
        }
    }

    fileprivate var emoji: String {
        if case .emoji(let emoji, _) = act.change { emoji } else { "" }
    }

    fileprivate var holds: Bool {
        if case .emoji(_, let holds) = act.change { holds } else { true }
    }
}

/// What was done to the lines of one private room or conversation of one persona, inside a transaction.
///
/// Of each author, line and emoji the newest act counts. One that comes before its line waits for it.
struct LineActs {
    enum Scope: Int64 {
        case room = 2
        case messages = 3

        fileprivate var table: String { self == .room ? "room_line" : "message" }
    }

    /// A stored line that something is done to.
    struct Target {
        let number: Int64
        let author: PeerID
        let isDeleted: Bool
        /// The sealed records with its text: none until it is sealed, several if it was sealed again.
        let records: [RecordID]
    }

    /// Limits of one persona: acts whose line is not here, by one author and in total, and all acts. The oldest go.
    static let waitingOfAuthorMax: Int64 = 128
    static let waitingMax: Int64 = 2_048
    static let max: Int64 = 100_000
    /// Limit of emoji on one line that are looked at, and of people who gave them.
    static let shownMax = HistoryReader.reactionsMax

    let transaction: Transaction
    let person: Bound
    let scope: Scope
    /// The id of the room's first key; the key of the other person.
    let place: Bytes32

    private var database: Database { transaction.database }

    private func key(_ line: RecordID) -> [Bound] {
        [person, .int(scope.rawValue), .key(place), .key(line.hash)]
    }

    private static let ofLine = "person = ? AND scope = ? AND place = ? AND line = ?"

    /// Applies the act, or stores it until its line arrives.
    ///
    /// - Parameter target: `nil` if the line is not here.
    /// - Returns: whether this changed what is shown.
    func perform(_ act: NewLineAct, on target: Target?, at now: WallTime) throws -> Bool {
        var act = act
        let before = try standing(act)
        if let before, act.record == nil {
            // The person acts now, whatever their clock says. Sealing gives the act a later date.
            act.created = Swift.max(act.created, HybridTime(rawValue: UInt64(clamping: before.created) + 1))
        } else if let before, !Self.isNewer(act, than: before) {
            // An own act comes back as a record.
            if act.record != before.record { try dropText(of: act, at: now) }
            return false
        }
        if let target {
            if act.kind != 3, target.author != act.author { return false }
            guard !target.isDeleted else {
                try dropText(of: act, at: now)
                return false
            }
        }
        try note(act, waits: target == nil)
        // Nobody should read what an earlier edit said.
        if act.kind == 1, let old = before?.record { try erase([old], at: now) }
        guard let target else {
            try trimWaiting(act.author)
            return false
        }
        switch act.act.change {
        case .edit(let line):
            try show(line, at: target)
            return true
        case .deletion:
            try delete(target, act.act.line, at: now)
            return true
        case .emoji(_, let holds): return (before?.holds ?? false) != holds
        }
    }

    /// Applies the acts that waited for this line.
    ///
    /// - Parameter id: the id that acts use for the line.
    /// - Returns: `false` if it was deleted before it arrived.
    func settle(_ target: Target, as id: RecordID, at now: WallTime) throws -> Bool {
        let all = try database.all(
            "SELECT kind, body, author FROM line_act WHERE \(Self.ofLine) AND waits = 1 ORDER BY kind", key(id)
        ) { (kind: $0.int(0), body: $0.bytes(1), author: $0.bytes32(2)) }
        guard !all.isEmpty else { return true }
        try Rooms.overwriting(database) {
            try database.run("UPDATE line_act SET waits = 0, body = x'' WHERE \(Self.ofLine) AND waits = 1", key(id))
        }
        let waiting = all.filter { $0.kind < 3 && $0.author == target.author.key }
        if waiting.contains(where: { $0.kind == 2 }) {
            try delete(target, id, at: now)
            return false
        }
        if let edit = waiting.first { try show(try Self.line(edit.body), at: target) }
        return true
    }

    /// In the order in which they were first given; without those of people whom this persona blocks.
    static func reactions(
        to line: RecordID, _ person: Bound, _ scope: Scope, _ place: Bytes32, in database: Database
    ) throws -> [StoredReaction] {
        let rows = try database.all(
            """
            SELECT emoji, author FROM line_act
            WHERE \(ofLine) AND kind = 3 AND holds = 1 AND author NOT IN (\(ContactTable.blockedPeers))
            ORDER BY created, author LIMIT ?
            """,
            [person, .int(scope.rawValue), .key(place), .key(line.hash), person, .int(Int64(shownMax))]
        ) { (emoji: $0.text(0), author: $0.bytes32(1).map(PeerID.init)) }
        return StoredReaction.grouped(rows)
    }

    // MARK: - Steps

    private static func line(_ body: [UInt8]) throws -> ChatLine {
        do {
            return try ChatLine(decoding: body)
        } catch {
            throw DatabaseError.damaged("an edit that waited does not decode: \(error)")
        }
    }

    private func standing(_ act: NewLineAct) throws -> (created: Int64, record: RecordID?, holds: Bool)? {
        try database.one(
            "SELECT created, record, holds FROM line_act WHERE \(Self.ofLine) AND author = ? AND kind = ? AND emoji = ?",
            key(act.act.line) + [.key(act.author.key), .int(act.kind), .text(act.emoji)]
        ) { ($0.int(0), $0.bytes32(1).map(RecordID.init), $0.int(2) == 1) }
    }

    private static func isNewer(
        _ act: NewLineAct, than before: (created: Int64, record: RecordID?, holds: Bool)
    ) -> Bool {
        let created = Int64(clamping: act.created.rawValue)
        guard created == before.created, let mine = act.record, let theirs = before.record else {
            return created > before.created
        }
        return mine > theirs
    }

    private func note(_ act: NewLineAct, waits: Bool) throws {
        let body = if waits, case .edit(let line) = act.act.change { line.body } else { [UInt8]() }
        try database.run(
            """
            INSERT INTO line_act (person, scope, place, line, author, kind, emoji, holds, body, waits, created, record)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (person, scope, place, line, author, kind, emoji) DO UPDATE SET
              holds = excluded.holds, body = excluded.body, waits = excluded.waits, created = excluded.created,
              record = excluded.record
            """,
            key(act.act.line) + [
                .key(act.author.key), .int(act.kind), .text(act.emoji), .int(act.holds ? 1 : 0), .bytes(body),
                .int(waits ? 1 : 0), .int(Int64(clamping: act.created.rawValue)),
                act.record.map { .key($0.hash) } ?? .null,
            ])
        guard database.lastInsertedRowID % Rooms.countedEvery == 0 else { return }
        try trim("AND record IS NOT NULL", keeping: Self.max)
    }

    /// One author's acts push out only their own, until there are too many authors.
    private func trimWaiting(_ author: PeerID) throws {
        try trim("AND waits = 1 AND author = ?3", [.key(author.key)], keeping: Self.waitingOfAuthorMax)
        try trim("AND waits = 1", keeping: Self.waitingMax)
    }

    private func trim(_ which: String, _ values: [Bound] = [], keeping max: Int64) throws {
        try Rooms.overwriting(database) {
            try database.run(
                """
                DELETE FROM line_act WHERE person = ?1 \(which) AND number <= (
                  SELECT number FROM line_act WHERE person = ?1 \(which) ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """, [person, .int(max)] + values)
        }
    }

    private func show(_ line: ChatLine, at target: Target) throws {
        try Rooms.overwriting(database) {
            try database.run(
                "UPDATE \(scope.table) SET text = ?, style = ?, edited = 1 WHERE number = ?",
                [.text(line.text), .int(LineStyle(line).number), .int(target.number)])
        }
    }

    /// Overwrites the text, and that of every edit. The row stays: a conversation shows where the line stood.
    private func delete(_ target: Target, _ id: RecordID, at now: WallTime) throws {
        let edits = try database.all(
            "SELECT record FROM line_act WHERE \(Self.ofLine) AND kind = 1", key(id)
        ) { $0.bytes32(0).map(RecordID.init) }
        try Rooms.overwriting(database) {
            try database.run(
                "UPDATE \(scope.table) SET text = '', style = 0, reply = NULL, file = NULL, file_id = NULL, erased = 1 WHERE number = ?",
                [.int(target.number)])
            try database.run("DELETE FROM line_act WHERE \(Self.ofLine) AND kind <> 2", key(id))
        }
        try erase(target.records + edits.compactMap(\.self), at: now)
    }

    /// Nobody needs what an outdated edit says.
    private func dropText(of act: NewLineAct, at now: WallTime) throws {
        if act.kind == 1, let record = act.record { try erase([record], at: now) }
    }

    /// Erases sealed records whose text was deleted: they stay as known, so that no peer brings them back.
    func erase(_ ids: [RecordID], at now: WallTime) throws {
        let batch = transaction.batch(at: now)
        for id in ids {
            guard let row = try batch.row(of: id), row.kind == .sealed, row.erased == 0 else { continue }
            _ = try batch.erase(row, by: 1)
        }
        try transaction.finish()
    }
}
