import Glibc

/// How many files and connections this process may have open.
enum Descriptors {
    /// What links, discovery and the program's own files need at the least.
    private static let min: UInt64 = 64

    /// - Throws: `Failure` where the program could not even start properly.
    static func check() throws(Failure) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, UInt64(limit.rlim_cur) < min else {
            return
        }
        throw Failure(.failed, "only \(limit.rlim_cur) files may be open at once; allow 64 or more: ulimit -n 256")
    }
}
