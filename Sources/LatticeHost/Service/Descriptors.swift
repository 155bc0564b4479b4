import Glibc
package import LatticeSettings

/// The limit of open files and sockets of this process.
package enum Descriptors {
    /// The minimum for links, discovery and the program's own files.
    private static let min: UInt64 = 64

    /// - Throws: `Failure` if the program could not even start properly.
    package static func check() throws(Failure) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, UInt64(limit.rlim_cur) < min else {
            return
        }
        throw Failure(.failed, "the limit of open files is \(limit.rlim_cur); raise it to 64 or more: ulimit -n 256")
    }

    /// Raises the limit as far as the system permits. The default soft limit (usually 1,024) exists for programs that
    /// use select(2), which nothing here does.
    ///
    /// - Returns: the new limit.
    static func allow(_ wanted: Int) -> Int {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return wanted }
        let now = limit.rlim_cur
        limit.rlim_cur = Swift.max(now, Swift.min(limit.rlim_max, rlim_t(wanted)))
        return Int(clamping: setrlimit(kind, &limit) == 0 ? limit.rlim_cur : now)
    }
}
