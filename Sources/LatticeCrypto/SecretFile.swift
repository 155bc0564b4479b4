import Glibc

/// Erases files that held a secret.
package enum SecretFile {
    package struct Fault: Error, Equatable {
        package let reason: String

        fileprivate static var last: Fault { Fault(reason: String(cString: strerror(errno))) }
    }

    /// Overwrites a regular file and removes its name. A missing file is fine; of a symbolic link only the link is
    /// removed.
    package static func erase(_ path: String) throws(Fault) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        if descriptor >= 0 {
            defer { close(descriptor) }
            try overwrite(descriptor)
        } else if errno == ENOENT {
            return
        }
        guard unlink(path) == 0 || errno == ENOENT else { throw .last }
    }

    /// Overwrites a regular file with zeros, through to the disk. A file with another name is somebody's copy, and is
    /// left alone.
    static func overwrite(_ descriptor: Int32) throws(Fault) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .last }
        guard facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink <= 1 else { return }
        let zeros = [UInt8](repeating: 0, count: 4_096)
        var offset = 0
        while offset < facts.st_size {
            let count = pwrite(descriptor, zeros, min(zeros.count, Int(facts.st_size) - offset), off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last }
            offset += count
        }
        guard fsync(descriptor) == 0 else { throw .last }
    }
}
