import Glibc
package import LatticeCore
package import LatticeCrypto
import LatticeStore

extension DataDirectory {
    /// What would keep this user's node from starting, or from storing messages. Changes nothing and opens as little as
    /// possible.
    /// - Returns: one sentence that says what to do; `nil` if nothing is wrong, or nothing exists yet.
    package func fault(of mesh: MeshName, key: MeshKey? = nil) -> String? {
        identityFault ?? lockFault ?? DatabaseFile.fault(at: storePath(of: mesh, key: key))?.description
    }

    private var identityFault: String? {
        do {
            _ = try identityFile.content()
            return nil
        } catch {
            if case .missing = error { return nil }
            return error.description
        }
    }

    private var lockFault: String? {
        let path = "\(path)/lock"
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor < 0 else {
            close(descriptor)
            return nil
        }
        let code = errno
        guard code != ENOENT, code != EACCES, code != EROFS else { return nil }
        return "cannot use \(path) (\(SystemError(code: code))); move it away, and a new one is created"
    }
}
