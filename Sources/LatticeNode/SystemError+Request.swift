import Glibc
import LatticeAPI

extension RequestError {
    /// A file of this person's folder could not be read or replaced.
    init(_ error: SystemError, writing path: String) {
        switch error.code {
        case EWOULDBLOCK: self.init(.busy, "another process is writing to \(path); try again")
        case ENOSPC, EDQUOT: self.init(.diskFull, "cannot write \(path): the disk is full; free some space")
        case EROFS, EACCES, EPERM: self.init(.readOnly, "cannot write \(path): \(error.description)")
        default: self.init(.fileFailed, "\(path): \(error.description); repair the file or move it away")
        }
    }
}
