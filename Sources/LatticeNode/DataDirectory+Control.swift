import Glibc
import LatticeCore
import LatticeCrypto

/// Where the process that has a folder is asked by other programs of the same person.
extension DataDirectory {
    /// What fits into `sun_path` (unix(7)), with its end.
    private static let pathBytesMax = 107
    /// Where there is no better place for it.
    static let controlName = "control.sock"

    /// `$XDG_RUNTIME_DIR/lattice/TAG.sock`, TAG of the folder's true path; where that directory is not there or not this person's
    /// alone, `control.sock` in the folder itself. Others find it in the note of who listens.
    ///
    /// - Throws: `cannotMake` where both paths would be too long.
    package func prepareControl() throws(DataDirectoryError) -> String {
        if let folder = Self.runtimeFolder, let path = short("\(folder)/\(controlTag).sock"), isMine(folder) {
            return path
        }
        guard let path = short("\(path)/\(Self.controlName)") else {
            throw .cannotMake(
                path: path, reason: "the path is too long for a socket (at most \(Self.pathBytesMax) bytes)")
        }
        return path
    }

    /// Where a manager of services listens for the node of this user, and begins it when somebody asks; `nil` if it does not.
    package static var serviceControlPath: String? {
        guard let folder = runtimeFolder else { return nil }
        let path = "\(folder)/\(controlName)"
        return access(path, W_OK) == 0 ? path : nil
    }

    private func short(_ path: String) -> String? {
        path.utf8.count <= Self.pathBytesMax ? path : nil
    }

    /// Makes it if it is not there.
    private func isMine(_ folder: String) -> Bool {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return false }
        var facts = stat()
        guard lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return false }
        return facts.st_uid == geteuid() && facts.st_mode & 0o077 == 0
    }

    private static var runtimeFolder: String? {
        guard let value = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), value.hasPrefix("/") else {
            return nil
        }
        return "\(value)/lattice"
    }

    private var controlTag: String {
        let real = realpath(path, nil)
        defer { free(real) }
        let text = real.map { String(cString: $0) } ?? path
        return String(Digest.blake2b256(Array(text.utf8)).hex.prefix(16))
    }
}
