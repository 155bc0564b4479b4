import GRDB
import Glibc

/// An SQLite file that one process at a time has.
final class BridgeFile: Sendable {
    private let path: String
    private let database: DatabaseQueue

    /// - Parameter tables: SQL that creates what is missing.
    init(path: String, tables: String) throws(BridgeState.Fault) {
        self.path = path
        // For its owner alone, like all files of a node.
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed(path: path, reason: String(cString: strerror(errno))) }
        Glibc.close(file)
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // After a power cut the file may be some commits behind, in their order: a bridge then reads again what it had read.
            try database.execute(
                sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        }
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.write { try $0.execute(sql: tables) }
        } catch {
            throw Self.fault(error, path)
        }
    }

    func close() throws(BridgeState.Fault) {
        do {
            try database.close()
        } catch {
            throw Self.fault(error, path)
        }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(BridgeState.Fault) -> Value {
        do {
            return try database.read(body)
        } catch {
            throw Self.fault(error, path)
        }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(BridgeState.Fault) -> Value {
        do {
            return try database.write(body)
        } catch {
            throw Self.fault(error, path)
        }
    }

    private static func fault(_ error: any Error, _ path: String) -> BridgeState.Fault {
        guard let error = error as? DatabaseError else { return .failed(path: path, reason: "\(error)") }
        return switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: .taken(path: path)
        case .SQLITE_FULL: .failed(path: path, reason: "the disk is full")
        default: .failed(path: path, reason: error.message ?? "\(error.resultCode)")
        }
    }
}
