import GRDB
import LatticeCore

/// An open file: its connections and its writer, which every part of a store shares.
package final class DatabaseFile: Sendable {
    let path: String
    /// Others' actions on the owner's items are their activity.
    let owner: PeerID
    let quota: StoreQuota
    private let reader: any DatabaseReader
    /// A failure if nothing can be written: the file or its folder is read-only, or the disk is full.
    private let pool: Result<DatabasePool, StoreError>
    let writer: StoreWriter
    let blocked = BlockedAuthors()

    /// Opens the file, and creates it if it is missing.
    ///
    /// - Parameter fileInterval: how often the writer checks that the file is still the one at its path.
    init(path: String, owner: PeerID, quota: StoreQuota, fileInterval: Duration) throws(StoreError) {
        self.path = path
        self.owner = owner
        self.quota = quota
        let opened = try StoreOpening.open(path)
        reader = opened.reader
        pool = opened.pool
        writer = StoreWriter(
            pool, try OpenFile(path: path, interval: fileInterval),
            StoreTerms(owner: owner, quota: quota, blocked: blocked))
    }

    var isReadOnly: Bool {
        switch pool {
        case .success: false
        case .failure: true
        }
    }

    func close() throws(StoreError) {
        writer.close()
        do {
            // GRDB closes its reading connections last, and those cannot merge the log.
            if case .success(let pool) = pool {
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            }
        } catch {
            // On a full disk the log stays, and is merged when there is space again.
        }
        do {
            try reader.close()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Reads in one snapshot, regardless of concurrent writes. It stops early if the calling task is cancelled.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(StoreError)
        -> Value
    {
        let stop = ReadStop()
        do {
            // Not GRDB's asynchronous `read`: it releases its connection only when the task resumes, and the few threads that
            // resume tasks may all be waiting for a connection in `readInPlace`.
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    reader.asyncRead { database in
                        continuation.resume(with: Result { try stop.reading(database.get(), body) })
                    }
                }
            } onCancel: {
                stop.stop()
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Like `read`, on the calling thread: for queries that take less time than switching threads. It waits for no
    /// writer.
    func readInPlace<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            // GRDB's own `read` queries the schema version and compiles `BEGIN` and `COMMIT` each time.
            return try reader.unsafeRead { database in
                try RawStatement(database, "BEGIN").run()
                defer { _ = Result { try RawStatement(database, "COMMIT").run() } }
                return try body(database)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Always runs on the same connection: its `data_version` shows writes by other processes.
    func onKeptConnection<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        isReadOnly ? try await read(body) : try await writer.alone(body)
    }
}

package struct StoreQuota: Hashable, Sendable {
    /// For all records together.
    package var bytes: Int
    /// For one author.
    package var authorBytes: Int

    package init(bytes: Int = 1 << 30, authorBytes: Int = 128 << 20) {
        precondition(bytes > 0 && authorBytes > 0, "a store that keeps nothing is none")
        self.bytes = bytes
        self.authorBytes = authorBytes
    }
}
