import Glibc

/// The resource usage of this process, under the names of Prometheus' own clients.
// Safety: buffers are passed to read(2) only for the call, with their true sizes.
package struct ProcessMeter: Sendable {
    /// Seconds since 1970. Stored, because a later correction of the machine's clock is not a restart of the process.
    private let startedAt: Double?

    package init() {
        startedAt = Self.startTime()
    }

    /// Values that cannot be read are left out.
    package func families() -> [MetricFamily] {
        var families: [MetricFamily] = []
        func add(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Double?) {
            if let value { families.append(MetricFamily("process_\(name)", kind, help, value)) }
        }
        add("cpu_seconds_total", .counter, "User and system CPU time spent.", Self.cpuSeconds())
        add("open_fds", .gauge, "Open file descriptors.", Self.openFiles().map(Double.init))
        add("max_fds", .gauge, "Maximum number of open file descriptors.", Self.openFilesMax())
        let pages = Self.words(in: "/proc/self/statm").map { $0.compactMap { Double($0) } }
        let pageBytes = Double(sysconf(Int32(_SC_PAGESIZE)))
        if let pages, pages.count > 1 {
            add("virtual_memory_bytes", .gauge, "Virtual memory size.", pages[0] * pageBytes)
            add("resident_memory_bytes", .gauge, "Resident memory size.", pages[1] * pageBytes)
        }
        add("start_time_seconds", .gauge, "Start time of the process, in seconds since 1970.", startedAt)
        return families
    }

    private static func cpuSeconds() -> Double? { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }

    private static func seconds(of clock: clockid_t) -> Double? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// The kernel gives it relative to the boot (proc(5), field 22 of `stat`).
    private static func startTime() -> Double? {
        guard let now = seconds(of: CLOCK_REALTIME), let running = seconds(of: CLOCK_BOOTTIME),
            let words = words(in: "/proc/self/stat", after: ")"), words.count > 19, let ticks = Double(words[19])
        else { return nil }
        return now - running + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func openFiles() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor that reads the directory.
        return max(0, count - 3)
    }

    private static func openFilesMax() -> Double? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur == rlim_t.max ? nil : Double(limit.rlim_cur)
    }

    /// - Parameter mark: everything up to it is skipped, because the program's name may contain spaces.
    private static func words(in path: String, after mark: Character? = nil) -> [Substring]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        let start = mark.flatMap { text.lastIndex(of: $0) }.map { text.index(after: $0) } ?? text.startIndex
        return text[start...].split { $0 == " " || $0 == "\n" }
    }
}
