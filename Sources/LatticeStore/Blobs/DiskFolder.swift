import Glibc

/// What is done to names of files rather than to their bytes.
// Safety: structures are lent to the system for the length of a call, with their true sizes; the entry that readdir(3) lends
// is read before the next call, within the bounds of its own name.
enum DiskFolder {
    /// - Returns: whether it was missing.
    @discardableResult
    static func make(_ path: String) throws(BlobFault) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw BlobFault.last(path) }
        return false
    }

    /// - Returns: `false` if there is no such file.
    @discardableResult
    static func move(_ path: String, to target: String) throws(BlobFault) -> Bool {
        if rename(path, target) == 0 { return true }
        guard errno == ENOENT else { throw BlobFault.last(path) }
        return false
    }

    /// - Returns: `false` if there is no such file.
    @discardableResult
    static func remove(_ path: String) throws(BlobFault) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw BlobFault.last(path) }
        return false
    }

    /// Returns when the names in the folder are on the disk.
    static func sync(_ path: String) throws(BlobFault) {
        let folder = try DiskFile(folder: path)
        guard fsync(folder.descriptor) == 0 else { throw BlobFault.last(path) }
    }

    /// The size of a regular file, and the bytes that it takes on the disk; `nil` if there is none.
    static func facts(_ path: String) throws(BlobFault) -> (size: Int64, heldBytes: Int64)? {
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            guard errno == ENOENT else { throw BlobFault.last(path) }
            return nil
        }
        return (Int64(facts.st_size), 512 * Int64(facts.st_blocks))
    }

    /// In alphabetical order.
    static func names(in path: String) throws(BlobFault) -> [String] {
        guard let list = opendir(path) else { throw BlobFault.last(path) }
        defer { closedir(list) }
        return names(list, countMax: .max).sorted()
    }

    // MARK: - In an open folder

    /// In byte order. A name that is not UTF-8 is repaired, so it names no file.
    ///
    /// - Returns: one more than `countMax` if there are more.
    static func names(in folder: DiskFile, countMax: Int = .max) throws(BlobFault) -> [String] {
        // With a position of its own.
        let copy = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw BlobFault.last(folder.path) }
        guard let list = fdopendir(copy) else {
            close(copy)
            throw BlobFault.last(folder.path)
        }
        defer { closedir(list) }
        return names(list, countMax: countMax).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func names(_ list: OpaquePointer, countMax: Int) -> [String] {
        var names: [String] = []
        while names.count <= countMax, let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// For a symbolic link, the facts of the link itself.
    static func facts(_ name: String, in folder: DiskFile) throws(BlobFault) -> DiskFacts {
        var facts = stat()
        guard fstatat(folder.descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw BlobFault.last("\(folder.path)/\(name)")
        }
        return DiskFacts(facts)
    }

    /// - Returns: `false` if something has that name.
    static func make(_ name: String, in folder: DiskFile) throws(BlobFault) -> Bool {
        if mkdirat(folder.descriptor, name, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw BlobFault.last("\(folder.path)/\(name)") }
        return false
    }

    /// Removes a folder with everything in it, as far as the system allows it. No link is followed.
    static func removeTree(_ name: String, in folder: DiskFile, depthMax: Int = 64) {
        do throws(BlobFault) {
            let inner = try DiskFile(name, in: folder, O_RDONLY | O_DIRECTORY)
            for child in try names(in: inner) where unlinkat(inner.descriptor, child, 0) != 0 && depthMax > 0 {
                removeTree(child, in: inner, depthMax: depthMax - 1)
            }
        } catch {
            // A folder that cannot be listed stays.
        }
        unlinkat(folder.descriptor, name, AT_REMOVEDIR)
    }
}

/// Identifies a file, and shows whether it has changed.
struct DiskFacts: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case file
        case folder
        /// A link, a device, a pipe or a socket.
        case other
    }

    let kind: Kind
    let size: Int64
    private let device: UInt64
    private let inode: UInt64
    /// mtime and ctime of stat(2): seconds and nanoseconds.
    private let times: [Int]

    init(_ facts: stat) {
        switch facts.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        default: kind = .other
        }
        size = Int64(facts.st_size)
        (device, inode) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
        times = [facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec]
    }
}

/// The folders on the way to a file, below one that is open. No link is followed.
struct OpenFolders {
    private let root: DiskFile
    /// At most as many as a path has components.
    private var way: [(name: String, folder: DiskFile)] = []

    init(below root: DiskFile) { self.root = root }

    /// - Parameters:
    ///   - names: from the root down.
    ///   - makes: whether folders that are missing are made.
    mutating func folder(_ names: some Collection<String>, makes: Bool = false) throws(BlobFault) -> DiskFile {
        // Strings compare by characters, names of files by bytes.
        let common = zip(way, names).prefix { $0.name.utf8.elementsEqual($1.utf8) }.count
        way.removeLast(way.count - common)
        for name in names.dropFirst(common) {
            let parent = way.last?.folder ?? root
            way.append((name, try Self.open(name, in: parent, makes: makes)))
        }
        return way.last?.folder ?? root
    }

    private static func open(_ name: String, in parent: DiskFile, makes: Bool) throws(BlobFault) -> DiskFile {
        do {
            return try DiskFile(name, in: parent, O_RDONLY | O_DIRECTORY)
        } catch .ioFailed(_, ENOENT) where makes {
            _ = try DiskFolder.make(name, in: parent)
            return try DiskFile(name, in: parent, O_RDONLY | O_DIRECTORY)
        }
    }
}
