import GRDB
import GRDBSQLite
import Synchronization

/// Ends a read that goes on when nobody waits for it any more.
// Safety: the connection is the store's, and lives as long as what is read on it; it is interrupted under the lock under which it is
// forgotten, so never once another reads on it (sqlite3_interrupt: from any thread, as long as the connection is open).
final class ReadStop: Sendable {
    private struct State {
        var isStopped = false
        /// The address of the connection, as long as it reads.
        var connection: UInt?
    }

    private let state = Mutex(State())

    /// - Throws: `CancellationError`, if it is over before it has begun.
    func reading<Value>(_ database: Database, _ body: (Database) throws -> Value) throws -> Value {
        let connection = UInt(bitPattern: database.sqliteConnection)
        try state.withLock { state in
            if state.isStopped { throw CancellationError() }
            state.connection = connection
        }
        defer { state.withLock { $0.connection = nil } }
        return try body(database)
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            if let connection = state.connection.flatMap({ OpaquePointer(bitPattern: $0) }) {
                sqlite3_interrupt(connection)
            }
        }
    }
}
