import GRDB
import GRDBSQLite
import LatticeCore

/// A statement of one connection, stepped column by column: GRDB's rows cost more than the look-ups of a search near a place.
///
/// It is the connection's cached statement for that SQL, so only one user at a time may step it, and resets it afterwards.
// Safety: the handle lives as long as `statement`, which this holds. Column pointers are read before the next step and
// never kept; sizes are SQLite's own. Bound blobs and texts are copied by SQLite (its "transient" destructor, −1).
struct RawStatement {
    private let statement: Statement
    private let handle: OpaquePointer
    private let database: Database

    init(_ database: Database, _ sql: String) throws {
        statement = try database.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
        self.database = database
    }

    func bind(_ value: Int64, at index: Int32) throws {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    func bind(_ value: Bytes32, at index: Int32) throws {
        // Thirty-two bytes on the stack: an array would cost as much as the look-up.
        let words = (
            value.words.0.bigEndian, value.words.1.bigEndian, value.words.2.bigEndian, value.words.3.bigEndian
        )
        try check(
            withUnsafeBytes(of: words) {
                sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Self.transient)
            })
    }

    func bind(_ bytes: [UInt8], at index: Int32) throws {
        try check(
            bytes.withUnsafeBytes {
                sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Self.transient)
            })
    }

    func bind(_ text: String, at index: Int32) throws {
        var text = text
        try check(
            text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text64(
                        handle, index, $0.baseAddress, UInt64($0.count), Self.transient, UInt8(SQLITE_UTF8))
                }
            })
    }

    func bindNull(at index: Int32) throws {
        try check(sqlite3_bind_null(handle, index))
    }

    /// - Returns: whether there is a row.
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code)
    }

    /// Runs a statement that returns no rows to its end.
    func run() throws {
        defer { reset() }
        _ = try step()
    }

    /// Prepares for other arguments. Ignores the result: `step` has already thrown any error.
    func reset() {
        _ = sqlite3_reset(handle)
    }

    /// Returns the first row, if any, and resets the statement.
    func first<Value>(_ read: (borrowing RawStatement) throws -> Value) throws -> Value? {
        defer { reset() }
        return try step() ? try read(self) : nil
    }

    /// Calls `body` for each row until it returns `false`, and resets the statement.
    func forEach(_ body: (borrowing RawStatement) throws -> Bool) throws {
        defer { reset() }
        while try step() {
            guard try body(self) else { return }
        }
    }

    func int(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func optionalInt(_ column: Int32) -> Int64? {
        isNull(column) ? nil : int(column)
    }

    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return count == 0 ? "" : String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    /// - Returns: `nil` if the value does not have 32 bytes.
    func bytes32(_ column: Int32) -> Bytes32? {
        guard let start = sqlite3_column_blob(handle, column), sqlite3_column_bytes(handle, column) == 32 else {
            return nil
        }
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        return Bytes32(words: (word(0), word(1), word(2), word(3)))
    }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw failure(code) }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
    }
}

extension Database {
    /// The pages that this connection has written to the log since it was opened.
    var pagesWritten: Int {
        var (current, highest): (CInt, CInt) = (0, 0)
        // It only fails for another connection's handle or an unknown counter.
        _ = sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
        return Int(current)
    }
}
