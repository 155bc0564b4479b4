import Glibc

/// What the kernel tells of a process.
// Safety: the buffer is lent to read(2) for the length of the call, with its true size.
extension Child {
    /// Resident memory, in KiB.
    func residentKiB() throws -> Int {
        let line = try table("status").first { $0.hasPrefix("VmRSS:") }
        guard let number = line?.split(whereSeparator: { !$0.isNumber }).first, let amount = Int(number) else {
            throw Fault(description: "no VmRSS of process \(pid)")
        }
        return amount
    }

    /// Memory that is never swapped out, in KiB.
    func lockedKiB() throws -> Int {
        let line = try table("status").first { $0.hasPrefix("VmLck:") }
        guard let number = line?.split(whereSeparator: { !$0.isNumber }).first, let amount = Int(number) else {
            throw Fault(description: "no VmLck of process \(pid)")
        }
        return amount
    }

    /// The number of open descriptors. Only the superuser can read it for a process that forbids dumps.
    func descriptorCount() throws -> Int {
        guard let folder = opendir("/proc/\(pid)/fd") else { throw Fault(description: "no fd of process \(pid)") }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // "." and ".."
        return count - 2
    }

    /// Areas of memory that are neither swapped out nor written to a core dump: `lo` and `dd` of proc(5).
    func lockedAreas() throws -> Int {
        try table("smaps").count { line in
            guard line.hasPrefix("VmFlags:") else { return false }
            let flags = line.split(separator: " ")
            return flags.contains("lo") && flags.contains("dd")
        }
    }

    /// Ends of established TCP connections on the host of this process.
    ///
    /// - Parameter ports: counts the ends with these ports alone; `nil` is all.
    func connectionCount(atPorts ports: [Int]? = nil) throws -> Int {
        let rows = try table("net/tcp") + table("net/tcp6")
        return rows.count { row in
            // sl, local address, remote address, state; 01 is TCP_ESTABLISHED (proc(5)).
            let columns = row.split(separator: " ")
            guard columns.count > 3, columns[3] == "01" else { return false }
            let port = columns[1].split(separator: ":").last.flatMap { Int($0, radix: 16) }
            return ports == nil || port.map { ports?.contains($0) == true } == true
        }
    }

    /// The lines of a file below /proc/PID, read to its end: Foundation stops at the first page of one.
    private func table(_ name: String) throws -> [Substring] {
        let descriptor = open("/proc/\(pid)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Fault(description: "no \(name) of process \(pid)") }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self).split(separator: "\n") }
            text += buffer[..<count]
        }
    }
}
