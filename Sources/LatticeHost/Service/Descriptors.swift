import Glibc
package import LatticeSettings

/// How many files and connections this process may have open.
package enum Descriptors {
    /// What links, discovery and the program's own files need at the least.
    private static let min: UInt64 = 64

    /// - Throws: `Failure` where the program could not even start properly.
    package static func check() throws(Failure) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, UInt64(limit.rlim_cur) < min else {
            return
        }
        throw Failure(.failed, "the limit of open files is \(limit.rlim_cur); raise it to 64 or more: ulimit -n 256")
    }

    /// Asks for more, as far as the system lets this process: what it allows at first (1,024 as a rule) is meant for programs that
    /// know no more, and nothing here uses select(2).
    ///
    /// - Returns: how many there can be.
    static func allow(_ wanted: Int) -> Int {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return wanted }
        let now = limit.rlim_cur
        limit.rlim_cur = Swift.max(now, Swift.min(limit.rlim_max, rlim_t(wanted)))
        return Int(clamping: setrlimit(kind, &limit) == 0 ? limit.rlim_cur : now)
    }
}
