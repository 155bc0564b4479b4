import Glibc
package import LatticeAPI
package import LatticeCore
package import LatticeCrypto
import LatticeStore

/// What would keep this user's node from starting, or from storing messages.
package enum FolderFault: Equatable {
    case identity(IdentityFileError)
    /// The lock cannot be taken, for the system's reason.
    case lock(path: String, reason: String)
    case store(StoreFault)
}

extension DataDirectory {
    /// Changes nothing and opens as little as possible.
    ///
    /// - Returns: `nil` if nothing is wrong, or nothing exists yet.
    package func fault(of mesh: MeshName, key: MeshKey? = nil) -> FolderFault? {
        identityFault ?? lockFault
            ?? DatabaseFile.fault(at: storePath(of: mesh, key: key)).map { .store(StoreFault($0)) }
    }

    private var identityFault: FolderFault? {
        do {
            _ = try identityFile.content()
            return nil
        } catch {
            if case .missing = error { return nil }
            return .identity(error)
        }
    }

    private var lockFault: FolderFault? {
        let path = "\(path)/lock"
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor < 0 else {
            close(descriptor)
            return nil
        }
        let code = errno
        guard code != ENOENT, code != EACCES, code != EROFS else { return nil }
        return .lock(path: path, reason: SystemError(code: code).description)
    }
}
