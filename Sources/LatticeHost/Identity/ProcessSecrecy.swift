import Glibc

/// Protects the memory of this process: no core dumps, no debugger or other process of the same user that reads it, and
/// no crash report.
enum ProcessSecrecy {
    /// The signals for which Swift's runtime prints crash reports.
    private static let crashes = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    /// Must run before a secret is read. If the system refuses, the program continues: this is a second line of
    /// defence.
    static func begin() {
        // A backtrace shows registers and the memory they point to. It stays enabled if its variable is set.
        if getenv("SWIFT_BACKTRACE") == nil {
            for number in crashes { signal(number, SIG_DFL) }
        }
        var limit = rlimit()
        limit.rlim_cur = 0
        limit.rlim_max = 0
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        forbidDumps()
    }

    // Safety: glibc exports prctl, which Swift does not import because it takes variable arguments; on Linux these are passed
    // as five words, which this type says.
    private static func forbidDumps() {
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        guard let symbol = dlsym(nil, "prctl") else { return }
        // PR_SET_DUMPABLE of linux/prctl.h.
        _ = unsafeBitCast(symbol, to: Control.self)(4, 0, 0, 0, 0)
    }
}
