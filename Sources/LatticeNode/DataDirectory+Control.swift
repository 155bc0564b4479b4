import Glibc
import LatticeCore
import LatticeCrypto

/// Where other programs of the same user reach the process that has a folder.
extension DataDirectory {
    /// What fits into `sun_path` (unix(7)), including its terminator.
    private static let pathBytesMax = 107
    /// Used when there is no better place.
    static let controlName = "control.sock"

    /// `$XDG_RUNTIME_DIR/lattice/TAG.sock`, with TAG from the folder's real path. If that directory is missing or not private
    /// to this user, `control.sock` in the folder itself. Other processes find it in the listening note.
    ///
    /// - Throws: `cannotMake` if both paths would be too long.
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

    /// Where a service manager listens for this user's node and starts it on demand; `nil` if it does not.
    package static var serviceControlPath: String? {
        guard let folder = runtimeFolder else { return nil }
        let path = "\(folder)/\(controlName)"
        return access(path, W_OK) == 0 ? path : nil
    }

    private func short(_ path: String) -> String? {
        path.utf8.count <= Self.pathBytesMax ? path : nil
    }

    /// Makes the folder if it is missing.
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
