import Glibc
import LatticeAPI

extension RequestError {
    /// A file of this person's folder could not be read or replaced.
    init(_ error: SystemError, writing path: String) {
        self = .file(fault: FileFault(error, writing: path))
    }

    /// The folder is not this process's.
    init(_ error: DataDirectoryError) {
        switch error {
        case .inUse(let path, let name, let process, _):
            self = .folderInUse(path: path, name: name, process: process)
        case .cannotMake(let path, let reason), .cannotRead(let path, let reason), .cannotWrite(let path, let reason):
            self = .file(fault: .broken(path: path, reason: reason))
        case .noHome, .badList, .linked, .linkedFolder, .tokenReadableByOthers:
            preconditionFailure("claiming a folder does not end so")
        }
    }
}

extension FileFault {
    init(_ error: SystemError, writing path: String) {
        self =
            switch error.code {
            case EWOULDBLOCK: .locked(path: path)
            case ENOSPC, EDQUOT: .diskFull(path: path)
            case EROFS, EACCES, EPERM: .readOnly(path: path, reason: error.description)
            default: .broken(path: path, reason: error.description)
            }
    }
}
