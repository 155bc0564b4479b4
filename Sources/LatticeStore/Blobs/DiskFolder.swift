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
        var names: [String] = []
        while let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
