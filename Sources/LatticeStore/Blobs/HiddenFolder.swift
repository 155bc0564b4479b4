import Glibc
import LatticeCore
import LatticeCrypto

/// Hidden folders into which folders are unpacked. A process has a lock on its own while it lives: one without a lock was left
/// by a process that was killed.
// Safety: structures and names are lent to the system for the length of a call.
enum HiddenFolder {
    private static let prefix = ".lattice-"
    private static let randomBytes = 8
    /// Names in a person's folder that are looked at. In a larger one what was left stays.
    private static let namesMax = 100_000
    /// Another process may take a new folder for an abandoned one before it is locked.
    private static let triesMax = 8

    /// A new folder with a random name, locked.
    static func make(in parent: DiskFile) throws(BlobFault) -> (name: String, folder: DiskFile) {
        for _ in 0..<triesMax {
            let name = prefix + Hex.string(SecureRandom.bytes(randomBytes))
            guard try DiskFolder.make(name, in: parent) else { continue }
            if let folder = try opened(name, in: parent) { return (name, folder) }
        }
        throw .ioFailed(path: parent.path, code: EEXIST)
    }

    /// Opens and locks a folder that was just made.
    ///
    /// - Returns: `nil` if another process removed it.
    private static func opened(_ name: String, in parent: DiskFile) throws(BlobFault) -> DiskFile? {
        let folder: DiskFile
        do {
            folder = try DiskFile(name, in: parent, O_RDONLY | O_DIRECTORY)
        } catch .ioFailed(_, ENOENT) {
            return nil
        }
        // Where folders cannot be locked, none is taken for abandoned either.
        if flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
        return isThere(name, folder, in: parent) ? folder : nil
    }

    private static func isThere(_ name: String, _ folder: DiskFile, in parent: DiskFile) -> Bool {
        var (named, open) = (stat(), stat())
        return fstatat(parent.descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && fstat(folder.descriptor, &open) == 0 && named.st_dev == open.st_dev && named.st_ino == open.st_ino
    }

    /// Removes this user's folders that nobody has locked, as far as the system allows it.
    static func removeAbandoned(in parent: DiskFile) {
        do throws(BlobFault) {
            let names = try DiskFolder.names(in: parent, countMax: namesMax)
            guard names.count <= namesMax else { return }
            for name in names where isOurs(name) { removeIfAbandoned(name, in: parent) }
        } catch {
            // A folder that cannot be listed may still take new files.
        }
    }

    private static func removeIfAbandoned(_ name: String, in parent: DiskFile) {
        do throws(BlobFault) {
            let folder = try DiskFile(name, in: parent, O_RDONLY | O_DIRECTORY)
            var facts = stat()
            guard fstat(folder.descriptor, &facts) == 0, facts.st_uid == geteuid(),
                flock(folder.descriptor, LOCK_EX | LOCK_NB) == 0, isThere(name, folder, in: parent)
            else { return }
            DiskFolder.removeTree(name, in: parent)
        } catch {
            // It is no folder, or somebody else's.
        }
    }

    /// Whether a name has exactly the form that `make` gives.
    static func isOurs(_ name: String) -> Bool {
        let digits = name.utf8.dropFirst(prefix.utf8.count)
        return name.hasPrefix(prefix) && digits.count == 2 * randomBytes
            && digits.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
