import Foundation

/// What a process takes, as the system tells it.
struct ProcessCost: Sendable {
    let identifier: Int32

    /// User and system time, in ticks of a hundredth (proc(5), fields 14 and 15 of stat).
    func processorSeconds() -> Double {
        let stat = FileManager.default.contents(atPath: "/proc/\(identifier)/stat") ?? Data()
        let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Kilobytes.
    func memory() throws -> (resident: Int, peak: Int) {
        let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        func field(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            return Int(line.filter(\.isNumber)) ?? 0
        }
        return (field("VmRSS:"), field("VmHWM:"))
    }
}
