import GRDB
package import LatticeCore
import LatticeWire

/// The records of one person and mesh in one SQLite file, and everything derived from them.
///
/// Several processes may use one file at a time; SQLite's locks keep them apart. A read-only file can still be read, and every
/// write throws `readOnly`.
package final class Store: Sendable {
    /// The version of the schema.
    package static let version = Schema.version

    package let path: String
    /// The owner: others' actions on their items are their activity.
    package let owner: PeerID
    /// The persona for whom letters and private rooms are read and written: the owner, unless the store was made by `of`.
    package let author: PeerID
    package let quota: StoreQuota
    private let reader: any DatabaseReader
    /// A failure if nothing can be written: the file or its folder is read-only, or the disk is full.
    private let pool: Result<DatabasePool, StoreError>
    let writer: StoreWriter
    /// Authors whose records are not accepted.
    let blocked: BlockedAuthors

    /// Opens the file, and creates it if it is missing.
    ///
    /// - Parameter fileInterval: how often the writer checks that the file is still the one at its path.
    /// - Throws: `StoreError`
    package init(
        path: String, owner: PeerID, quota: StoreQuota = StoreQuota(), fileInterval: Duration = .seconds(1)
    ) throws(StoreError) {
        self.path = path
        self.owner = owner
        author = owner
        blocked = BlockedAuthors()
        self.quota = quota
        let opened = try StoreOpening.open(path)
        reader = opened.reader
        pool = opened.pool
        writer = StoreWriter(
            pool, try OpenFile(path: path, interval: fileInterval),
            StoreTerms(owner: owner, quota: quota, blocked: blocked))
    }

    private init(_ store: Store, of author: PeerID) {
        path = store.path
        owner = store.owner
        self.author = author
        quota = store.quota
        reader = store.reader
        pool = store.pool
        writer = store.writer
        blocked = store.blocked
    }

    /// The same file on behalf of another persona.
    package func of(_ author: PeerID) -> Store {
        Store(self, of: author)
    }

    /// The persona as stored with letters and rooms.
    var person: Bound { author == owner ? .bytes([]) : .key(author.key) }

    package var isReadOnly: Bool {
        switch pool {
        case .success: false
        case .failure: true
        }
    }

    /// Writes all queued jobs and closes the file; later requests fail. The log is merged into the file, unless another process
    /// still needs it.
    package func close() throws(StoreError) {
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

/// Limits of stored bytes.
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
