import Glibc
import LatticeAPI

extension RequestError {
    /// A file of this person's folder that could not be read, or replaced.
    init(_ error: SystemError, writing path: String) {
        switch error.code {
        case EWOULDBLOCK: self.init(.busy, "somebody else is writing to \(path); try again")
        case ENOSPC, EDQUOT: self.init(.diskFull, "\(path) cannot be written: the disk is full; make room there")
        case EROFS, EACCES, EPERM: self.init(.readOnly, "\(path) cannot be written: \(error.description)")
        default: self.init(.fileFailed, "\(path): \(error.description); mend it or move it away")
        }
    }
}
