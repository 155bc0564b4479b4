import Glibc

/// Which state of a file this is, for the price of one system call: whoever writes to it, or puts another in its place, changes it.
///
/// Two writes within a tick of the kernel's clock (1–10 ms) that leave the same length may have one mark.
package struct FileMark: Equatable, Sendable {
    private let inode: UInt
    private let seconds: Int
    private let nanoseconds: Int
    private let size: Int

    /// - Returns: `nil` where there is no file, or none that may be looked at.
    package init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        (inode, size) = (UInt(facts.st_ino), Int(facts.st_size))
        (seconds, nanoseconds) = (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
    }
}
