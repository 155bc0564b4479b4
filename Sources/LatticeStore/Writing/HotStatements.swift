import GRDB

/// What the writer runs for each line or commit. GRDB prepares statements for long use (`SQLITE_PREPARE_PERSISTENT`), but
/// looks each up by its text, which costs as much as a short statement; so these are held.
///
/// They are released before the connection closes.
final class HotStatements {
    let begin: RawStatement
    let commit: RawStatement
    /// Changes when another process has written.
    let version: RawStatement
    let rowOfID: RawStatement
    let insert: RawStatement
    let changes: RawStatement

    init(_ database: Database) throws {
        begin = try RawStatement(database, "BEGIN IMMEDIATE")
        commit = try RawStatement(database, "COMMIT")
        version = try RawStatement(database, "PRAGMA data_version")
        rowOfID = try RawStatement(database, "SELECT \(RecordRow.columns) FROM record WHERE id = ?")
        insert = try RawStatement(
            database,
            """
            INSERT INTO record
              (seq, id, kind, author, created, lifetime, topic, seen, date, expires, class, size, erased, filed, via, bytes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        changes = try RawStatement(database, Self.changesOfRecord)
    }

    /// Two queries, because for a list of kinds SQLite would build a temporary table.
    private static let changesOfRecord = [10, 11].map { kind in
        "SELECT \(RecordRow.columns) FROM record WHERE topic = ?1 AND kind = \(kind) AND kind IN (10, 11)"
    }.joined(separator: " UNION ALL ")
}
