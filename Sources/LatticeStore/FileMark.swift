import Glibc

/// Identifies the state of a file with one system call: every write, and every replacement of the file, changes it.
///
/// Two writes within a tick of the kernel's clock (1–10 ms) that leave the same length may have the same mark.
package struct FileMark: Equatable, Sendable {
    private let inode: UInt
    private let seconds: Int
    private let nanoseconds: Int
    private let size: Int

    /// - Returns: `nil` if the file is missing or not accessible.
    package init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        (inode, size) = (UInt(facts.st_ino), Int(facts.st_size))
        (seconds, nanoseconds) = (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
    }
}
