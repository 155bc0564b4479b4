import GRDB
import LatticeCore
import LatticeWire

/// What people wrote comes, and with it what was waiting for it: edits, deletions, comments, reactions.
extension Batch {
    /// A post, comment, event, chat line, letter or unknown kind.
    func insertTarget(_ draft: RecordRow, of record: VerifiedRecord, content: ItemContent?) throws -> InsertOutcome {
        var draft = draft
        if content == nil, draft.kind != .chat, draft.kind != .sealed { draft.recordClass = .other }
        let waiting = try waiting(about: draft)
        let verdict = try judge(waiting, about: draft, content: content)
        if draft.kind == .event, let edit = verdict.edit { draft.expires = max(draft.expires, edit.expires) }
        // Edits may have made an event last longer than whoever gives it now knows.
        guard draft.expires > now else { return overdue(draft) }
        if try isBelowFloor(draft) { return .evicted }
        for row in verdict.invalid { try drop(row) }
        if verdict.erased != 0 { draft.becomeErased(by: verdict.erased) }
        let row = try write(draft, of: record)
        for valid in verdict.valid { try reclassify(valid, as: .written) }
        if let content {
            let shown = row.erased == 0 ? verdict.edit?.content ?? content : .erased
            try file(row, shown, edited: verdict.edit?.date)
            try judgeComments(on: row)
        }
        return row.erased == 0 ? .added : .erased
    }

    /// What was waiting, judged.
    private struct Verdict {
        struct Edit {
            let row: RecordRow
            let content: ItemContent
            var date: Int64 { row.date }
            var expires: Int64 { row.expires }
        }

        /// 0 unless it is taken back.
        var erased: Int64 = 0
        /// The newest that applies.
        var edit: Edit?
        var valid: [RecordRow] = []
        var invalid: [RecordRow] = []
    }

    private func waiting(about target: RecordRow) throws -> [RecordRow] {
        guard state.hasChanges else { return [] }
        return try database.all(Self.changes, [.key(target.id.hash)]) { try RecordRow($0) }
    }

    /// Edits and deletions of what has an id; each by itself, as SQLite makes a table of a list that it is to look up.
    static let changes = [10, 11].map { kind in
        "SELECT \(RecordRow.columns) FROM record WHERE topic = ?1 AND kind = \(kind) AND kind IN (10, 11)"
    }.joined(separator: " UNION ALL ")

    private func judge(_ waiting: [RecordRow], about target: RecordRow, content: ItemContent?) throws -> Verdict {
        var verdict = Verdict()
        var edits: [RecordRow] = []
        for row in waiting {
            if row.kind == .deletion {
                switch try effect(ofDeletionBy: row.author, on: target) {
                case .erases(let by):
                    verdict.erased = verdict.erased == 0 ? by : min(verdict.erased, by)
                    verdict.valid.append(row)
                case .waits: break
                case .none: verdict.invalid.append(row)
                }
            } else if let edited = try editedContent(row, of: target, isItem: content != nil) {
                edits.append(row)
                // What the others say is not held: there may be a great many.
                if verdict.edit.map({ row.isNewer(than: $0.row) }) ?? true {
                    verdict.edit = Verdict.Edit(row: row, content: edited)
                }
            } else {
                verdict.invalid.append(row)
            }
        }
        if verdict.erased != 0 {
            verdict.invalid += edits
            verdict.edit = nil
        } else {
            verdict.valid += edits
        }
        return verdict
    }

    /// - Returns: `nil` if the edit is none: by another, of what cannot be edited, or with another kind's body.
    private func editedContent(_ edit: RecordRow, of target: RecordRow, isItem: Bool) throws -> ItemContent? {
        guard isItem, edit.author == target.author else { return nil }
        return try content(ofEdit: edit, of: target.kind)
    }

    func content(ofEdit edit: RecordRow, of kind: RecordKind) throws -> ItemContent? {
        let body = try body(at: edit.seq)
        do {
            return try ItemContent(kind: kind, body: body)
        } catch {
            return nil
        }
    }

    private static let comments = """
        SELECT \(RecordRow.columns(of: "record")) FROM item CROSS JOIN record ON record.seq = item.record
        WHERE item.parent = ? AND item.kind = 5
        """

    /// Deletions of comments by the author of what they are about could not be judged before it came.
    private func judgeComments(on parent: RecordRow) throws {
        let comments = try database.all(Self.comments, [.key(parent.id.hash)]) { try RecordRow($0) }
        for comment in comments {
            var comment = comment
            for row in try waiting(about: comment) where row.kind == .deletion && row.recordClass == .other {
                switch try effect(ofDeletionBy: row.author, on: comment) {
                case .erases(let by):
                    try reclassify(row, as: .written)
                    comment = try erase(comment, by: by)
                case .waits: break
                case .none: try drop(row)
                }
            }
        }
    }
}

extension RecordRow {
    /// Only who, what and when is left, until it would have expired by itself.
    mutating func becomeErased(by whom: Int64) {
        erased = whom
        size = Self.overheadBytes
        expires = ownExpires
    }
}
