import Foundation

/// Resource usage of a process, as the kernel reports it.
struct ProcessCost: Sendable {
    let identifier: Int32

    /// User and system time, in steps of a hundredth of a second (proc(5), fields 14 and 15 of stat).
    func processorSeconds() -> Double {
        let stat = FileManager.default.contents(atPath: "/proc/\(identifier)/stat") ?? Data()
        let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// As `processorSeconds`, in nanoseconds; includes ended threads (clock_getcpuclockid(3)).
    func processorSecondsExactly() throws -> Double {
        var clock = clockid_t()
        guard clock_getcpuclockid(identifier, &clock) == 0 else { throw BenchError("process \(identifier) is gone") }
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { throw BenchError("process \(identifier) is gone") }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// In kilobytes.
    func memory() throws -> (resident: Int, peak: Int) {
        let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        func field(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            return Int(line.filter(\.isNumber)) ?? 0
        }
        return (field("VmRSS:"), field("VmHWM:"))
    }

    /// From now on the peak is that of what comes: what only the start needed is given back after some seconds, and for a
    /// node that stays it is no peak. Waits until that has happened.
    ///
    /// - Throws: `BenchError` if it does not happen, or the system does not let the peak be reset (proc(5), `clear_refs`).
    func forgetStart() throws {
        for _ in 0..<300 {
            let (resident, peak) = try memory()
            if resident < peak * 3 / 4 {
                try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(identifier)/clear_refs"))
                return
            }
            usleep(50_000)
        }
        throw BenchError("process \(identifier) gives nothing back after its start")
    }

    /// Parts of resident memory, in kilobytes: private dirty, anonymous, and proportional share. For a process that
    /// forbids dumps only the superuser can read them.
    func parts() -> [(String, Int)] {
        guard let told = FileManager.default.contents(atPath: "/proc/\(identifier)/smaps_rollup") else { return [] }
        let status = String(decoding: told, as: UTF8.self)
        return [("private_dirty_kb", "Private_Dirty:"), ("anonymous_kb", "Anonymous:"), ("pss_kb", "Pss:")].map {
            name, field in
            let line = status.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
            return (name, Int(line.filter(\.isNumber)) ?? 0)
        }
    }
}

extension rusage {
    var processorSeconds: Double {
        [ru_utime, ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }.reduce(0, +)
    }
}
