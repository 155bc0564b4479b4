import Foundation
import GRDB
import GRDBSQLite

/// Opens a store's file for writing if possible, otherwise for reading.
enum StoreOpening {
    /// Two processes that create one file at the same moment may collide once or twice.
    private static let attemptsMax = 5

    /// - Returns: a connection for reading, and either one for writing or the reason why there is none.
    static func open(
        _ name: String
    ) throws(StoreError) -> (reader: any DatabaseReader, pool: Result<DatabasePool, StoreError>) {
        let path = DatabaseFile.plainPath(name)
        var isDirectory: ObjCBool = false
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw .cannotOpen(path: path, reason: "there is no folder \(folder)")
        }
        do {
            let pool = try openToWrite(path)
            return (pool, .success(pool))
        } catch {
            guard mayBeReadable(error, path) else { throw error }
            let fault: StoreError = if case .diskFull = error { error } else { .readOnly(path: path) }
            return (try openToRead(path, after: error), .failure(fault))
        }
    }

    private static func openToWrite(_ path: String) throws(StoreError) -> DatabasePool {
        var attempt = 1
        while true {
            do {
                let pool = try DatabasePool(path: path, configuration: configuration)
                try prepare(pool, path)
                return pool
            } catch let error as StoreError {
                throw error
            } catch {
                let fault = StoreError(error, path: path)
                attempt += 1
                switch fault {
                case .busy where attempt <= attemptsMax: continue
                case .failed where attempt <= attemptsMax: continue
                default: throw fault
                }
            }
        }
    }

    private static func prepare(_ pool: DatabasePool, _ path: String) throws {
        if try pool.read({ try Schema.state(in: $0) }) == .empty {
            // Another process may be creating it too.
            try pool.write { if try Schema.state(in: $0) == .empty { try Schema.make(in: $0) } }
        }
        try pool.read { try check(Schema.state(in: $0), path) }
        // SQLite opens a read-only file without an error; it is reported here, before somebody's line has to be stored.
        // The check needs no lock, so a long write of another process does not block it.
        let isReadOnly = pool.writeWithoutTransaction { sqlite3_db_readonly($0.sqliteConnection, "main") != 0 }
        if isReadOnly { throw StoreError.readOnly(path: path) }
    }

    private static func check(_ state: Schema.State, _ path: String) throws(StoreError) {
        switch state {
        case .ours: break
        case .empty: throw .cannotOpen(path: path, reason: "it is empty")
        case .newer: throw .tooNew(path: path)
        // Never add tables to another program's database.
        case .foreign: throw .cannotOpen(path: path, reason: "it is the database of another program")
        }
    }

    private static func mayBeReadable(_ error: StoreError, _ path: String) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        switch error {
        case .readOnly, .cannotOpen, .diskFull: return true
        case .damaged, .tooNew, .busy, .failed: return false
        }
    }

    private static func openToRead(_ path: String, after fault: StoreError) throws(StoreError) -> DatabaseQueue {
        var configuration = configuration
        configuration.readonly = true
        // If SQLite cannot create files beside it, it reads a file only if told that nobody writes to it. Records in a log
        // that cannot be merged would be missing, so the file is not read then.
        var names = [path]
        if logBytes(path) == 0 { names.append(immutableName(path)) }
        for name in names {
            do {
                let queue = try DatabaseQueue(path: name, configuration: configuration)
                switch try queue.read({ try Schema.state(in: $0) }) {
                case .ours: return queue
                case .newer: throw StoreError.tooNew(path: path)
                case .empty, .foreign: break
                }
            } catch let error as StoreError {
                throw error
            } catch {
                continue
            }
        }
        throw fault
    }

    private static func logBytes(_ path: String) -> Int {
        do {
            return try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
        } catch {
            return 0
        }
    }

    private static func immutableName(_ path: String) -> String {
        URL(fileURLWithPath: path).absoluteString + "?immutable=1"
    }

    /// Each connection has its own page cache, and more connections than processors help nobody.
    static let readersMax = max(2, min(4, ProcessInfo.processInfo.activeProcessorCount))

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        configuration.maximumReaderCount = readersMax
        // For a queue without a target, Dispatch starts a thread whenever all others are busy, and never ends it. So readers
        // share as many threads as there are processors. The blocks of the writer's queue run on a thread of its own.
        configuration.targetQueue = .global(qos: .utility)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // 8 MiB a connection: the inner index pages of a million posts stay in memory.
            try database.execute(sql: "PRAGMA cache_size = -8192")
            // 32 MiB of log instead of SQLite's 4: when records arrive by the thousand, most pages that they touch were touched
            // by the previous thousands too. Each page is then merged into the file once instead of each time.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 8192")
        }
        return configuration
    }
}
