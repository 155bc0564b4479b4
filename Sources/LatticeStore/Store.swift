import GRDB
package import LatticeCore
import LatticeWire

/// The records of one person and mesh in one SQLite file, and what follows from them.
///
/// Several processes may use one file at a time; SQLite's locks keep them apart. A file that cannot be written to is read
/// all the same, and every write says `readOnly`.
package final class Store: Sendable {
    /// Of the tables that this program makes.
    package static let version = Schema.version

    package let path: String
    /// Whose store it is: what others do to what is theirs is their activity.
    package let owner: PeerID
    /// In whose name letters and private rooms are read and written: the owner's, unless it is `of` somebody else.
    package let author: PeerID
    package let quota: StoreQuota
    private let reader: any DatabaseReader
    /// Or why nothing can be written: the file or its folder is not to be written to, or the disk is full.
    private let pool: Result<DatabasePool, StoreError>
    let writer: StoreWriter
    /// Whose records are not taken in.
    let blocked: BlockedAuthors

    /// Opens the file, and makes it where there is none.
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

    /// The same file in the name of somebody who speaks through the owner's node.
    package func of(_ author: PeerID) -> Store {
        Store(self, of: author)
    }

    /// Whose letters and rooms, as it stands beside them.
    var person: Bound { author == owner ? .bytes([]) : .key(author.key) }

    package var isReadOnly: Bool {
        switch pool {
        case .success: false
        case .failure: true
        }
    }

    /// Writes what waits, and lets go of the file; whatever is asked afterwards fails. What stands in the log beside it is brought into
    /// the file, unless another process still needs the log.
    package func close() throws(StoreError) {
        writer.close()
        do {
            // GRDB closes its reading connections last, and these may not do it.
            if case .success(let pool) = pool {
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            }
        } catch {
            // On a full disk the log stays, and is joined when there is space again.
        }
        do {
            try reader.close()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Reads in one snapshot, whatever is written meanwhile. It ends early when the task that asks is cancelled.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(StoreError)
        -> Value
    {
        let stop = ReadStop()
        do {
            // Not GRDB's `read` for tasks: that lets go of its connection once the task goes on, and the threads by which tasks go on,
            // which are few, may all be waiting for a connection in `readInPlace`.
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

    /// As `read`, on the thread that asks: for what takes less time than the way to another thread and back. Nobody who writes
    /// is waited for.
    func readInPlace<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            // GRDB's own `read` asks for the version of the schema and makes its `BEGIN` and `COMMIT` anew each time.
            return try reader.unsafeRead { database in
                try RawStatement(database, "BEGIN").run()
                defer { _ = Result { try RawStatement(database, "COMMIT").run() } }
                return try body(database)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// On one connection, always the same: what another wrote shows in its `data_version`.
    func onKeptConnection<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        isReadOnly ? try await read(body) : try await writer.alone(body)
    }
}

/// How much a store keeps.
package struct StoreQuota: Hashable, Sendable {
    /// Of all records together.
    package var bytes: Int
    /// Of one author's.
    package var authorBytes: Int

    package init(bytes: Int = 1 << 30, authorBytes: Int = 128 << 20) {
        precondition(bytes > 0 && authorBytes > 0, "a store that keeps nothing is none")
        self.bytes = bytes
        self.authorBytes = authorBytes
    }
}
