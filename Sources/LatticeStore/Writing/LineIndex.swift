import GRDB
import LatticeWire

/// The index of the words of public lines, inside a transaction.
///
/// It keeps no copy of the text. To remove a line, the old text is needed.
struct LineIndex {
    let database: Database

    /// Rows of one step, so that others can write in between.
    private static let stepMax: Int64 = 2_000
    /// Pages of one step of overwriting.
    private static let pagesMax: Int64 = 500

    /// `nil` until somebody searches.
    private func mark() throws -> Int64? {
        try StoredSettings.value(.lineWords, in: database).flatMap { Int64($0) }
    }

    /// Adds the next lines and edits.
    ///
    /// - Returns: whether there are more.
    func addNext() throws -> Bool {
        let mark = try mark() ?? 0
        let last = try database.one("SELECT max(seq) FROM record", []) { $0.optionalInt(0) } ?? nil
        guard let last, last > mark else {
            if mark == 0 { try StoredSettings.set(.lineWords, "0", in: database) }
            return false
        }
        try Self.overwrites(in: database)
        let upTo = min(last, mark + Self.stepMax)
        let rows = try database.all(
            "SELECT seq, bytes FROM record WHERE seq > ? AND seq <= ? AND erased = 0 AND (kind = 1 OR kind = 10)",
            [.int(mark), .int(upTo)]
        ) { ($0.int(0), $0.bytes(1)) }
        for (seq, bytes) in rows {
            guard let text = try Self.text(of: bytes) else { continue }
            try database.run("INSERT INTO line_words (rowid, text) VALUES (?, ?)", [.int(seq), .text(text)])
        }
        try StoredSettings.set(.lineWords, "\(upTo)", in: database)
        return upTo < last
    }

    /// Called before the bytes of a row go.
    func remove(_ row: RecordRow) throws {
        guard row.kind == .chat || row.kind == .edit, row.erased == 0, let mark = try mark(), row.seq <= mark else {
            return
        }
        let bytes = try database.one("SELECT bytes FROM record WHERE seq = ?", [.int(row.seq)]) { $0.bytes(0) }
        guard let text = try bytes.flatMap({ try Self.text(of: $0) }) else { return }
        try Self.overwrites(in: database)
        try database.run(
            "INSERT INTO line_words (line_words, rowid, text) VALUES ('delete', ?, ?)", [.int(row.seq), .text(text)])
        try StoredSettings.set(.lineWordsErased, "1", in: database)
    }

    /// Overwrites pages with words that were removed.
    ///
    /// - Parameter begins: starts a new merge of all pages; `false` continues the last one.
    /// - Returns: whether there are more.
    func overwriteNext(begins: Bool) throws -> Bool {
        guard try StoredSettings.value(.lineWordsErased, in: database) != nil else { return false }
        try Self.overwrites(in: database)
        let before = database.totalChangesCount
        try database.run(
            "INSERT INTO line_words (line_words, rank) VALUES ('merge', ?)",
            [.int(begins ? -Self.pagesMax : Self.pagesMax)])
        // As FTS5 has it: less than two changes say that nothing was left to merge.
        if database.totalChangesCount - before >= 2 { return true }
        try StoredSettings.set(.lineWordsErased, nil, in: database)
        return false
    }

    /// From now on what is freed is overwritten: the index writes its pages at the end of the transaction, so this is not turned off
    /// again here.
    static func overwrites(in database: Database) throws {
        try database.execute(sql: "PRAGMA secure_delete = ON")
    }

    /// - Returns: `nil` for what is no line, such as an edit of a post.
    static func text(of bytes: [UInt8]) throws -> String? {
        let record = try Batch.signed(bytes).record
        do {
            return try ChatLine(decoding: record.body).text
        } catch {
            return nil  // A signed record of a later version or of another kind.
        }
    }
}
