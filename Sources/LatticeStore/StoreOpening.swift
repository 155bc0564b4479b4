import Foundation
import GRDB
import GRDBSQLite

/// Opens a store's file, to write if that can be and else to read.
enum StoreOpening {
    /// Two processes that make one file at the same moment get in each other's way, once or twice.
    private static let attemptsMax = 5

    /// - Returns: a connection to read on, and either one to write on or why there is none.
    static func open(
        _ name: String
    ) throws(StoreError) -> (reader: any DatabaseReader, pool: Result<DatabasePool, StoreError>) {
        let path = plainPath(name)
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

    /// As SQLite takes it for a path, too, and not for a URI.
    static func plainPath(_ name: String) -> String { name.hasPrefix("file:") ? "./\(name)" : name }

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
            // Another process may be doing the same.
            try pool.write { if try Schema.state(in: $0) == .empty { try Schema.make(in: $0) } }
        }
        try pool.read { try check(Schema.state(in: $0), path) }
        // SQLite opens what it may not write to without a word: it is said here, not when somebody's line is to be kept.
        // No lock is needed for it, so a long write of another process keeps nobody out.
        let isReadOnly = pool.writeWithoutTransaction { sqlite3_db_readonly($0.sqliteConnection, "main") != 0 }
        if isReadOnly { throw StoreError.readOnly(path: path) }
    }

    private static func check(_ state: Schema.State, _ path: String) throws(StoreError) {
        switch state {
        case .ours: break
        case .empty: throw .cannotOpen(path: path, reason: "it is empty")
        case .newer: throw .tooNew(path: path)
        // Nothing of ours is put among another program's tables.
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
        // Where SQLite can make no files beside it, it reads a file only if told that nobody writes to it. What stands
        // in a log beside it that cannot be joined would be missing, so then it is not read.
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

    /// Each keeps its own pages, and more than there are processors help nobody.
    private static let readersMax = max(2, min(4, ProcessInfo.processInfo.activeProcessorCount))

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        configuration.maximumReaderCount = readersMax
        // A queue without a target makes Dispatch start a thread whenever all others are busy, and none of them ends: readers share as
        // many as there are processors. The writer has a thread of its own, on which its queue's blocks run.
        configuration.targetQueue = .global(qos: .utility)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // 8 MiB a connection: the inner pages of the indexes of a million posts stay in memory.
            try database.execute(sql: "PRAGMA cache_size = -8192")
            // 32 MiB of log, for SQLite's 4: thousands of records that come at once touch most of the pages that the last
            // thousands touched, and each is brought into the file once and not each time.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 8192")
        }
        return configuration
    }
}
