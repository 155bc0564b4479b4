import GRDB
import LatticeCore
import LatticeWire

/// Takes in what people wrote, and applies what was waiting for it: edits, deletions, comments, reactions.
extension Batch {
    /// A post, comment, event, place, chat line, private message or unknown kind.
    func insertTarget(_ draft: RecordRow, of record: VerifiedRecord, content: ItemContent?) throws -> InsertOutcome {
        var draft = draft
        if content == nil, draft.kind != .chat, draft.kind != .sealed { draft.recordClass = .other }
        let waiting = try waiting(about: draft)
        let verdict = try judge(waiting, about: draft, editors: content?.editors ?? [])
        if draft.kind.isExtendedByEdits, let edit = verdict.edit { draft.expires = max(draft.expires, edit.expires) }
        // Edits may have extended an event or a place beyond the lifetime that the sender knows.
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

    /// The judged changes that were waiting.
    private struct Verdict {
        struct Edit {
            let row: RecordRow
            let content: ItemContent
            var date: Int64 { row.date }
            var expires: Int64 { row.expires }
        }

        /// 0 unless it is deleted.
        var erased: Int64 = 0
        /// The newest valid one of an item.
        var edit: Edit?
        var valid: [RecordRow] = []
        var invalid: [RecordRow] = []
    }

    private func waiting(about target: RecordRow) throws -> [RecordRow] {
        guard state.hasChanges else { return [] }
        return try changes(of: target.id)
    }

    private func judge(_ waiting: [RecordRow], about target: RecordRow, editors: [PeerID]) throws -> Verdict {
        var verdict = Verdict()
        var edits: [RecordRow] = []
        var unjudged: [RecordRow] = []
        for row in waiting {
            if row.kind == .deletion {
                switch try effect(ofDeletionBy: row.author, on: target) {
                case .erases(let by):
                    verdict.erased = verdict.erased == 0 ? by : min(verdict.erased, by)
                    verdict.valid.append(row)
                case .waits: break
                case .none: verdict.invalid.append(row)
                }
            } else {
                let effect = try effect(
                    ofEditBy: row.author, on: target,
                    isEditor: { try editors.contains { try state.peerNumber($0, in: database) == row.author } },
                    body: { try body(at: row.seq) })
                switch effect {
                case .shows(let content):
                    edits.append(row)
                    // Other edits' content is not kept in memory: there may be very many.
                    if verdict.edit.map({ row.isNewer(than: $0.row) }) ?? true {
                        verdict.edit = Verdict.Edit(row: row, content: content)
                    }
                case .rewords: edits.append(row)
                case .waits: unjudged.append(row)
                case .none: verdict.invalid.append(row)
                }
            }
        }
        if verdict.erased != 0 {
            verdict.invalid += edits + unjudged
            verdict.edit = nil
        } else {
            verdict.valid += edits
        }
        return verdict
    }

    private static let comments = """
        SELECT \(RecordRow.columns(of: "record")) FROM item CROSS JOIN record ON record.seq = item.record
        WHERE item.parent = ? AND item.kind = 5
        """

    /// Judges deletions of comments by the author of their item, which could not be judged before the item arrived.
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
    /// Keeps only the author, the kind and the dates, until it would have expired by itself.
    mutating func becomeErased(by whom: Int64) {
        erased = whom
        size = Self.overheadBytes
        expires = ownExpires
    }
}
