import Foundation

/// What the kernel tells of a process.
extension Child {
    /// Resident memory, in KiB.
    func residentKiB() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let number = line?.split(whereSeparator: { !$0.isNumber }).first, let amount = Int(number) else {
            throw Fault(description: "no VmRSS of process \(pid)")
        }
        return amount
    }

    /// Established TCP connections on the host of this process.
    func connectionCount() throws -> Int {
        try ["tcp", "tcp6"].map { table in
            let text = try String(contentsOfFile: "/proc/\(pid)/net/\(table)", encoding: .utf8)
            return text.split(separator: "\n").dropFirst().count { line in
                let columns = line.split(separator: " ")
                return columns.count > 3 && columns[3] == "01"
            }
        }.reduce(0, +)
    }
}
