import GRDB

/// Why a request to the store failed; the description says what to do.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case cannotOpen(path: String, reason: String)
    /// Pages are not as SQLite wrote them.
    case damaged(path: String, reason: String)
    /// Written by a later version of this program.
    case tooNew(path: String)
    case diskFull(path: String)
    case readOnly(path: String)
    /// Another process held the lock for longer than a write takes.
    case busy(path: String)
    case failed(path: String, reason: String)

    package var description: String {
        switch self {
        case .cannotOpen(let path, let reason):
            "cannot open \(path): \(reason); give another folder with --data-dir"
        case .damaged(let path, let reason):
            "\(path) is damaged (\(reason)); run 'lattice store check' for details, 'lattice store rebuild' to repair it"
        case .tooNew(let path): "\(path) was created by a newer version of this program; use that version"
        case .diskFull(let path): "the disk of \(path) is full; nothing new is stored until there is space again"
        case .readOnly(let path):
            "cannot write to \(path); check the permissions of the folder, or give another one with --data-dir"
        case .busy(let path): "\(path) is in use by another process; try again in a moment"
        case .failed(let path, let reason): "\(path): \(reason)"
        }
    }

    private static let endingReason = "the program was about to end"

    package init(_ error: any Error, path: String) {
        if let error = error as? StoreError {
            self = error
            return
        }
        if error is CancellationError {
            self = .failed(path: path, reason: Self.endingReason)
            return
        }
        guard let error = error as? DatabaseError else {
            self = .failed(path: path, reason: "\(error)")
            return
        }
        let reason = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(path: path, reason: reason)
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        // The log's index could not grow.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .diskFull(path: path)
        case .SQLITE_INTERRUPT: self = .failed(path: path, reason: Self.endingReason)
        case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: reason)
        default: self = .failed(path: path, reason: reason)
        }
    }
}
