import Glibc
import LatticeCore
import LatticeCrypto

/// Where the process that has a folder is asked by other programs of the same person.
extension DataDirectory {
    /// What fits into `sun_path` (unix(7)), with its end.
    private static let pathBytesMax = 107
    /// Where there is no better place for it.
    static let controlName = "control.sock"

    /// `$XDG_RUNTIME_DIR/lattice/TAG.sock`, TAG of the folder's true path; where there is no such directory `control.sock` in the
    /// folder itself. `nil` where even that path is too long.
    package var controlPath: String? {
        let path = runtimeFolder.map { "\($0)/\(controlTag).sock" } ?? "\(path)/\(Self.controlName)"
        return path.utf8.count <= Self.pathBytesMax ? path : nil
    }

    /// Makes the folder of the socket, which is this person's alone.
    ///
    /// - Returns: where the socket is to be.
    /// - Throws: `cannotMake`, which says why there can be none.
    package func prepareControl() throws(DataDirectoryError) -> String {
        guard let controlPath else {
            throw .cannotMake(path: path, reason: "the path of a socket has at most \(Self.pathBytesMax) bytes")
        }
        guard let runtimeFolder else { return controlPath }
        guard mkdir(runtimeFolder, 0o700) == 0 || errno == EEXIST else {
            throw .cannotMake(path: runtimeFolder, reason: String(cString: strerror(errno)))
        }
        var facts = stat()
        guard lstat(runtimeFolder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
            throw .cannotMake(path: runtimeFolder, reason: "it is no folder")
        }
        guard facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0 else {
            throw .cannotMake(path: runtimeFolder, reason: "it is not yours alone; it wants mode 700")
        }
        return controlPath
    }

    private var runtimeFolder: String? {
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
