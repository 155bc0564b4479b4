import GRDB
import GRDBSQLite
import Synchronization

/// Ends a read that nobody waits for any more.
// Safety: the handler gets this object, which lives until the read that set the handler has taken it away again.
final class ReadStop: Sendable {
    /// Instructions of SQLite's virtual machine between two checks of the flag: some 20 µs of work.
    private static let stepsBetweenLooks: Int32 = 1_000

    private let isStopped = Atomic(false)

    /// SQLite polls the flag, since `sqlite3_interrupt` is lost on a connection whose statement is about to start.
    ///
    /// - Throws: `CancellationError` if it was stopped before it started.
    func reading<Value>(_ database: Database, _ body: (Database) throws -> Value) throws -> Value {
        if isStopped.load(ordering: .relaxed) { throw CancellationError() }
        let connection = database.sqliteConnection
        sqlite3_progress_handler(
            connection, Self.stepsBetweenLooks,
            { stop in
                guard let stop else { return 0 }
                return Unmanaged<ReadStop>.fromOpaque(stop).takeUnretainedValue().isStopped.load(ordering: .relaxed)
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        return try body(database)
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }
}
