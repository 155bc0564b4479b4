import GRDB
import LatticeCore
import LatticeWire

/// Removes records that are superseded, expired or evicted, with everything that follows from them.
extension Batch {
    /// Removes a record of any kind, as if it had never arrived.
    func remove(_ row: RecordRow) throws {
        switch row.kind {
        case .post, .comment, .event, .place:
            try unfileItem(row)
            try letWait(about: row)
        case .like, .follow, .attendance: try unfileReaction(row)
        case .edit:
            try drop(row)
            if let target = try self.row(named: row.topic), target.kind.isItem { try applyEdits(to: target) }
            return
        case _ where row.kind.canBeTakenBack: try letWait(about: row)
        default: break
        }
        try drop(row)
    }

    /// Removes only the row; rows that reference it go too: outbox, activity, profile.
    func drop(_ row: RecordRow) throws {
        leaves(row)
        try LineIndex(database: database).remove(row)
        try database.run("DELETE FROM record WHERE seq = ?", [.int(row.seq)])
        recount(row, as: nil)
    }

    func reclassify(_ row: RecordRow, as recordClass: RecordRow.Class) throws {
        guard row.recordClass != recordClass else { return }
        try database.run("UPDATE record SET class = ? WHERE seq = ?", [.int(recordClass.rawValue), .int(row.seq)])
        var changed = row
        changed.recordClass = recordClass
        recount(row, as: changed)
        if !state.floors.isEmpty { try state.floors.note(changed, of: try circle(of: row.author), in: database) }
    }

    private func unfileItem(_ row: RecordRow) throws {
        try database.run("DELETE FROM activity WHERE item = ?", [.int(row.seq)])
        if row.kind == .comment, row.erased == 0 { try countComment(row, by: -1) }
        try hide(row.seq)
        try database.run("DELETE FROM item WHERE record = ?", [.int(row.seq)])
    }

    /// Edits and deletions of a removed record wait for it again, so that it cannot come back unchanged.
    private func letWait(about target: RecordRow) throws {
        for row in try changes(of: target.id) { try reclassify(row, as: .other) }
    }
}
