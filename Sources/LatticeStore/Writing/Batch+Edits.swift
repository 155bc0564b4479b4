import GRDB
import LatticeCore
import LatticeWire

/// Edits and deletions: what an author may change of stored records. One whose target is not stored waits for it.
extension Batch {
    enum EditEffect {
        case shows(ItemContent)
        /// Replaces the body of a chat line: `HistoryReader` looks it up.
        case rewords
        /// Only a later version can judge it: its target is of a kind that is unknown here.
        case waits
        case none(reason: String)
    }

    /// - Parameters:
    ///   - isEditor: whether the author may edit a place of somebody else; asked only for a place.
    ///   - body: the edit's; read only if it matters.
    func effect(
        ofEditBy author: Int64, on target: RecordRow, isEditor: () throws -> Bool, body: () throws -> [UInt8]
    ) throws -> EditEffect {
        guard target.kind.isItem || target.kind == .chat else {
            return target.kind == .sealed ? .none(reason: "this kind of record cannot be edited") : .waits
        }
        guard try target.author == author || target.kind == .place && isEditor() else {
            return .none(reason: "only the author may edit")
        }
        let body = try body()
        do throws(WireError) {
            if target.kind.isItem { return .shows(try ItemContent(kind: target.kind, body: body)) }
            _ = try ChatLine(decoding: body)
            return .rewords
        } catch {
            return .none(reason: "\(error)")
        }
    }

    func insertEdit(_ draft: RecordRow, of record: VerifiedRecord) throws -> InsertOutcome {
        guard let target = try row(named: draft.topic), target.kind.canBeTakenBack else {
            return try keep(draft, of: record)
        }
        let effect = try effect(
            ofEditBy: draft.author, on: target,
            isEditor: { try target.erased == 0 && content(of: target, nil).editors.contains(record.record.author) },
            body: { record.record.body })
        if case .none(let reason) = effect { return .refused(reason) }
        if target.erased != 0 { return .erased }
        if case .waits = effect { return try keep(draft, of: record) }
        var draft = draft
        draft.recordClass = .written
        let outcome = try keep(draft, of: record)
        if outcome == .added, target.kind.isItem { try applyEdits(to: target) }
        return outcome
    }

    /// Stores the record, unless records of its age are being evicted.
    private func keep(_ draft: RecordRow, of record: VerifiedRecord) throws -> InsertOutcome {
        if try isBelowFloor(draft) { return .evicted }
        _ = try write(draft, of: record)
        return .added
    }

    /// Shows the newest edit, or the original content.
    func applyEdits(to target: RecordRow) throws {
        guard target.erased == 0 else { return }
        let edit = try newestEdit(of: target)
        let content = try content(of: target, edit)
        var target = target
        target.expires = target.ownExpires
        if target.kind.isExtendedByEdits, let edit { target.expires = max(target.expires, edit.expires) }
        try database.run(
            "UPDATE record SET expires = ? WHERE seq = ? AND expires <> ?1", [.int(target.expires), .int(target.seq)])
        try refile(target, content, edited: edit?.date)
    }

    /// Considers stored edits only; all of them have been judged.
    func newestEdit(of target: RecordRow) throws -> RecordRow? {
        try database.one(
            """
            SELECT \(RecordRow.columns) FROM record WHERE topic = ? AND kind = 10 AND kind IN (10, 11)
            ORDER BY created DESC, id DESC LIMIT 1
            """, [.key(target.id.hash)]
        ) { try RecordRow($0) }
    }

    func content(of target: RecordRow, _ edit: RecordRow?) throws -> ItemContent {
        let body = try body(at: edit?.seq ?? target.seq)
        do {
            return try ItemContent(kind: target.kind, body: body)
        } catch {
            throw DatabaseError.damaged("an item or edit does not decode: \(error)")
        }
    }

    enum DeletionEffect {
        /// 1 if by its author, 2 if by the author of the item it is about.
        case erases(by: Int64)
        /// A record that it depends on is not stored.
        case waits
        /// Its author may not delete the target.
        case none
    }

    func effect(ofDeletionBy author: Int64, on target: RecordRow) throws -> DeletionEffect {
        guard target.kind.canBeTakenBack else { return .waits }
        if author == target.author, author != 0 { return .erases(by: 1) }
        guard target.kind == .comment else { return .none }
        guard let parent = try row(named: target.topic), parent.kind.isItem else { return .waits }
        return parent.author == author ? .erases(by: 2) : .none
    }

    func insertDeletion(_ draft: RecordRow, of record: VerifiedRecord) throws -> InsertOutcome {
        var draft = draft
        guard let target = try row(named: draft.topic) else { return try keep(draft, of: record) }
        switch try effect(ofDeletionBy: draft.author, on: target) {
        case .none: return .refused("only the author may delete this")
        case .waits: return try keep(draft, of: record)
        case .erases(let by):
            draft.recordClass = .written
            let outcome = try keep(draft, of: record)
            if outcome == .added { _ = try erase(target, by: by) }
            return outcome
        }
    }

    /// Erases the content and keeps the row, so that the record cannot come back.
    ///
    /// A deletion by its author takes precedence over one by the author of the item it is about.
    func erase(_ target: RecordRow, by whom: Int64) throws -> RecordRow {
        if target.erased != 0, target.erased <= whom { return target }
        var erased = target
        if target.erased == 0 {
            if target.kind == .comment { try countComment(target, by: -1) }
            let edits = try database.all(
                "SELECT \(RecordRow.columns) FROM record WHERE topic = ? AND kind = 10 AND kind IN (10, 11)",
                [.key(target.id.hash)]
            ) { try RecordRow($0) }
            for edit in edits { try drop(edit) }
            try database.run("DELETE FROM outbox WHERE record = ?", [.int(target.seq)])
        }
        leaves(target)
        try LineIndex(database: database).remove(target)
        try LineIndex.overwrites(in: database)
        erased.becomeErased(by: whom)
        recount(target, as: erased)
        try database.run(
            "UPDATE record SET bytes = NULL, erased = ?, size = ?, expires = ? WHERE seq = ?",
            [.int(whom), .int(erased.size), .int(erased.expires), .int(erased.seq)])
        if target.kind.isItem { try refile(erased, .erased, edited: nil) }
        return erased
    }
}
