import Glibc

/// A file that arrives. Until it is complete it is called `name.part`, and holds a beginning of the file without gaps, so that a
/// later transfer of the same file goes on behind it.
// Safety: names are lent to the system for the length of a call.
package final class ResourcePart: Sendable {
    private let path: String
    private let mayReplace: Bool
    private let file: DiskFile

    /// - Parameters:
    ///   - path: where the complete file will be; absolute.
    ///   - mayReplace: whether it may replace a file there.
    ///   - size: of the complete file.
    /// - Throws: `.exists`, `.inUse`, `.notAFile`, `.noSpace`, `.disk`.
    package init(of path: String, mayReplace: Bool, size: Int64) throws(ResourceFault) {
        (self.path, self.mayReplace) = (path, mayReplace)
        if !mayReplace, faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { throw .exists(path: path) }
        file = try resourceFile { () throws(BlobFault) in try DiskFile(path + ".part", O_RDWR | O_CREAT | O_NONBLOCK) }
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse(path: file.path) }
        let facts = try resourceFile { () throws(BlobFault) in try file.facts() }
        guard facts.kind == .file else { throw .notAFile(path: file.path) }
        let disk = try resourceFile { () throws(BlobFault) in try DiskSpace.of(file.path) }
        let needed = size - min(size, facts.size)
        guard needed <= disk.freeBytes else {
            throw .noSpace(SpaceNeeded(path: path, neededBytes: needed, usableBytes: disk.freeBytes))
        }
    }

    deinit {
        // An empty one is of no use to a later transfer.
        if (stat(of: file)?.st_size ?? 1) == 0, isThere { unlink(file.path) }
    }

    /// How many bytes there are.
    package var size: Int64 {
        get throws(ResourceFault) { try resourceFile { () throws(BlobFault) in try file.facts() }.size }
    }

    /// - Returns: fewer bytes at the end of what is there.
    package func read(at offset: Int64, count: Int) throws(ResourceFault) -> [UInt8] {
        try resourceFile { () throws(BlobFault) in try file.read(at: offset, count: count) }
    }

    package func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(ResourceFault) {
        try resourceFile { () throws(BlobFault) in try file.write(bytes, at: offset) }
    }

    /// Keeps the first bytes only.
    package func cut(to size: Int64) throws(ResourceFault) {
        try resourceFile { () throws(BlobFault) in try file.setSize(size) }
    }

    /// Gives the complete file its name, once it is on the disk.
    ///
    /// - Throws: `.exists` if a file came there meanwhile; the part stays.
    package func publish() throws(ResourceFault) {
        try resourceFile { () throws(BlobFault) in try file.sync() }
        if mayReplace { return try rename() }
        guard link(file.path, path) != 0 else {
            unlink(file.path)
            return
        }
        if errno == EEXIST { throw .exists(path: path) }
        // A file system without links, such as FAT: the name is taken first, so that no file of anybody else's is replaced.
        do throws(BlobFault) {
            _ = try DiskFile(path, O_WRONLY | O_CREAT | O_EXCL)
        } catch .ioFailed(_, EEXIST) {
            throw .exists(path: path)
        } catch {
            throw .disk(error)
        }
        try rename()
    }

    private func rename() throws(ResourceFault) {
        guard Glibc.rename(file.path, path) == 0 else { throw .disk(BlobFault.last(path)) }
    }

    /// Whether the name is still that of this file.
    private var isThere: Bool {
        var facts = Glibc.stat()
        guard lstat(file.path, &facts) == 0, let own = stat(of: file) else { return false }
        return (facts.st_dev, facts.st_ino) == (own.st_dev, own.st_ino)
    }

    private func stat(of file: DiskFile) -> stat? {
        var facts = Glibc.stat()
        return fstat(file.descriptor, &facts) == 0 ? facts : nil
    }
}
