import Glibc

/// An open file. Several may read one at a time; only the thread of `BlobFiles` writes.
// Safety: buffers and structures are lent to the system for the length of each call, with their true sizes.
final class DiskFile: Sendable {
    let path: String
    let descriptor: Int32

    /// - Parameter flags: besides those that no program or link gets anything of.
    init(_ path: String, _ flags: Int32) throws(BlobFault) {
        descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0o600)
        self.path = path
        guard descriptor >= 0 else { throw BlobFault.last(path) }
    }

    /// In an open folder.
    init(_ name: String, in folder: DiskFile, _ flags: Int32) throws(BlobFault) {
        descriptor = openat(folder.descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0o600)
        path = "\(folder.path)/\(name)"
        guard descriptor >= 0 else { throw BlobFault.last(path) }
    }

    /// A folder of a person's, which may be a link.
    init(folder path: String) throws(BlobFault) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw BlobFault.last(path) }
    }

    /// A file of a person's to read, which may be a link. What is no file is opened without waiting for anybody.
    init(linkOrFile path: String) throws(BlobFault) {
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        self.path = path
        guard descriptor >= 0 else { throw BlobFault.last(path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Returns: `nil` if there is no such file.
    static func existing(_ path: String, _ flags: Int32) throws(BlobFault) -> DiskFile? {
        do {
            return try DiskFile(path, flags)
        } catch .ioFailed(_, ENOENT) {
            return nil
        }
    }

    /// - Returns: fewer bytes at the end of the file.
    func read(at offset: Int64, count: Int) throws(BlobFault) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                guard let start = buffer.baseAddress else { return }
                let more = pread(descriptor, start + filled, count - filled, off_t(offset) + off_t(filled))
                if more < 0, errno == EINTR { continue }
                if more < 0 { code = errno }
                guard more > 0 else { return }
                filled += more
            }
        }
        guard code == 0 else { throw BlobFault(code, path) }
        return bytes
    }

    func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(BlobFault) {
        var code: Int32 = 0
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count, let start = buffer.baseAddress {
                let more = pwrite(descriptor, start + written, buffer.count - written, off_t(offset) + off_t(written))
                if more < 0, errno == EINTR { continue }
                guard more > 0 else { return code = more < 0 ? errno : EIO }
                written += more
            }
        }
        guard code == 0 else { throw BlobFault(code, path) }
    }

    func facts() throws(BlobFault) -> DiskFacts {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw BlobFault.last(path) }
        return DiskFacts(facts)
    }

    /// Extends the file with zeros, or cuts it.
    func setSize(_ size: Int64) throws(BlobFault) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw BlobFault.last(path) }
    }

    /// Returns when the bytes are on the disk.
    func sync() throws(BlobFault) {
        guard fdatasync(descriptor) == 0 else { throw BlobFault.last(path) }
    }
}

extension BlobFault {
    init(_ code: Int32, _ path: String) {
        self = code == ENOSPC || code == EDQUOT ? .diskFull(path: path) : .ioFailed(path: path, code: code)
    }

    /// The failure of the last call to the system.
    static func last(_ path: String) -> BlobFault { BlobFault(errno, path) }
}
