import Glibc

/// Keeps the memory of this process to itself: no core dump, no debugger or other process of the same user that reads it, and
/// no words about a crash.
enum ProcessSecrecy {
    /// What Swift's runtime catches to tell of a crash.
    private static let crashes = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    /// Before a secret is read. Where the system refuses, the program goes on: it is a second line of defence.
    static func begin() {
        // It would show every register and what stands in memory where that points. Whoever sets its variable wants that.
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
