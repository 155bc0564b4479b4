import Glibc
import LatticeCore
package import LatticeWire

/// A file that arrives. Until it is complete it is called `name.ROOT.part`, where `ROOT` is the beginning of its hash. It holds the
/// first bytes of the file without gaps. A later transfer of the same file begins after them.
///
/// While this object lives, the part is locked, belongs to this user and has one name. Anything else of that name is left alone.
// Safety: names and structures are lent to the system for the length of a call, with their true sizes.
package final class ResourcePart: Sendable {
    private let folder: DiskFile
    private let file: DiskFile
    private let name: String
    private let partName: String
    private let mayReplace: Bool

    /// - Parameters:
    ///   - path: where the complete file will be; absolute.
    ///   - mayReplace: whether it may replace a file there.
    ///   - blob: names the complete file.
    /// - Throws: `.exists`, `.inUse`, `.notAFile`, `.notOwn`, `.noSpace`, `.disk`.
    package static func open(
        _ path: String, mayReplace: Bool, for blob: BlobName
    ) throws(ResourceFault) -> ResourcePart {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        let folderPath = end == path.startIndex ? "/" : String(path[..<end])
        let folder = try resourceFile { () throws(BlobFault) in try DiskFile(folder: folderPath) }
        let name = String(path[end...].drop { $0 == "/" })
        switch facts(of: name, in: folder)?.kind {
        case nil: break
        case .file where mayReplace: break
        case .file: throw .exists(path: path)
        case .folder, .other: throw mayReplace ? .notAFile(path: path) : .exists(path: path)
        }
        let partName = partName(of: name, for: blob)
        let file = try opened(partName, in: folder)
        let part = ResourcePart(folder, file, name: name, partName: partName, mayReplace: mayReplace)
        try part.checkSpace(for: blob.size)
        return part
    }

    private init(_ folder: DiskFile, _ file: DiskFile, name: String, partName: String, mayReplace: Bool) {
        (self.folder, self.file, self.name) = (folder, file, name)
        (self.partName, self.mayReplace) = (partName, mayReplace)
    }

    deinit {
        // An empty one is of no use to a later transfer.
        var facts = stat()
        guard fstat(file.descriptor, &facts) == 0, facts.st_size == 0 else { return }
        removeName()
    }

    /// A name of at most 255 bytes.
    private static func partName(of name: String, for blob: BlobName) -> String {
        let ending = ".\(Hex.string(blob.root.bytes.prefix(8))).part"
        var stem = name
        while stem.utf8.count + ending.utf8.count > FileName.bytesMax { stem.removeLast() }
        return stem + ending
    }

    /// Opens and locks the part that an earlier transfer left, or a new one.
    private static func opened(_ name: String, in folder: DiskFile) throws(ResourceFault) -> DiskFile {
        // Another transfer may give it its last name, or remove it, between two of these steps.
        for _ in 0..<8 {
            let file = try resourceFile { () throws(BlobFault) in
                try DiskFile(name, in: folder, O_RDWR | O_CREAT | O_NONBLOCK)
            }
            guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw errno == EWOULDBLOCK ? .inUse(path: file.path) : .disk(BlobFault.last(file.path))
            }
            var open = stat()
            guard fstat(file.descriptor, &open) == 0 else { throw .disk(BlobFault.last(file.path)) }
            guard open.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: file.path) }
            guard open.st_uid == geteuid() else { throw .notOwn(path: file.path) }
            guard isThere(name, open, in: folder) else { continue }
            if open.st_nlink == 1, fchmod(file.descriptor, 0o600) == 0 { return file }
            // Its bytes are also those of another file, which must not change with them.
            unlinkat(folder.descriptor, name, 0)
        }
        throw .inUse(path: "\(folder.path)/\(name)")
    }

    private func checkSpace(for size: Int64) throws(ResourceFault) {
        let (there, path) = (try self.size, file.path)
        let disk = try resourceFile { () throws(BlobFault) in try DiskSpace.of(path) }
        let needed = size - min(size, there)
        guard needed <= disk.usableBytes else {
            throw .noSpace(SpaceNeeded(path: path, neededBytes: needed, usableBytes: disk.usableBytes))
        }
    }

    // MARK: - Bytes

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

    // MARK: - The end

    /// Gives the complete file its name. Returns when both are on the disk.
    ///
    /// - Throws: `.exists` if a file came there meanwhile; the part stays. `.disk`.
    package func publish() throws(ResourceFault) {
        try resourceFile { () throws(BlobFault) in try file.sync() }
        if mayReplace {
            try rename()
        } else if try link() {
            removeName()
        } else {
            try renameOverOwn()
        }
        try resourceFile { () throws(BlobFault) in try folder.sync() }
    }

    /// - Returns: `false` if files have one name only on this file system, such as FAT.
    private func link() throws(ResourceFault) -> Bool {
        let own = "/proc/self/fd/\(file.descriptor)"
        if linkat(AT_FDCWD, own, folder.descriptor, name, AT_SYMLINK_FOLLOW) == 0 { return true }
        switch errno {
        case EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV, ENOENT: return false
        case EEXIST: throw .exists(path: "\(folder.path)/\(name)")
        default: throw .disk(BlobFault.last("\(folder.path)/\(name)"))
        }
    }

    /// Takes the name first, so that no file of anybody else's is replaced.
    private func renameOverOwn() throws(ResourceFault) {
        do throws(BlobFault) {
            _ = try DiskFile(name, in: folder, O_WRONLY | O_CREAT | O_EXCL)
        } catch .ioFailed(let path, EEXIST) {
            throw .exists(path: path)
        } catch {
            throw .disk(error)
        }
        do throws(ResourceFault) {
            try rename()
        } catch {
            unlinkat(folder.descriptor, name, 0)
            throw error
        }
    }

    private func rename() throws(ResourceFault) {
        guard isThere else { throw .changed(path: file.path) }
        guard renameat(folder.descriptor, partName, folder.descriptor, name) == 0 else {
            throw .disk(BlobFault.last("\(folder.path)/\(name)"))
        }
    }

    private func removeName() {
        if isThere { unlinkat(folder.descriptor, partName, 0) }
    }

    // MARK: - Names

    /// Whether the name is still that of this file.
    private var isThere: Bool {
        var open = stat()
        return fstat(file.descriptor, &open) == 0 && Self.isThere(partName, open, in: folder)
    }

    private static func isThere(_ name: String, _ open: stat, in folder: DiskFile) -> Bool {
        var named = stat()
        return fstatat(folder.descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && named.st_dev == open.st_dev && named.st_ino == open.st_ino
    }

    private static func facts(of name: String, in folder: DiskFile) -> DiskFacts? {
        var facts = stat()
        guard fstatat(folder.descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return DiskFacts(facts)
    }
}
