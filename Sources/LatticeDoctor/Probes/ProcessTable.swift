import Glibc

/// Running programs and their open sockets, as far as this user can see them (proc(5)).
enum ProcessTable {
    /// A guess; each takes some microseconds to inspect.
    private static let processesMax = 8_192
    private static let descriptorsMax = 4_096
    /// Enough for the socket tables of a busy server.
    private static let tableBytesMax = 4 << 20

    /// The names of programs that have a UDP port open or listen on a TCP port, each once.
    static func holders(of port: UInt16, isTCP: Bool) -> [String] {
        let tables = isTCP ? ["tcp", "tcp6"] : ["udp", "udp6"]
        let nodes = tables.flatMap {
            inodes(in: ProcFile.read("/proc/net/\($0)", tableBytesMax), port: port, isTCP: isTCP)
        }
        guard !nodes.isEmpty else { return [] }
        let links = Set(nodes.map { "socket:[\($0)]" })
        var names: [String] = []
        for process in processes() where hasOpen(links, process) {
            let name = name(of: process)
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Inodes of the sockets on this port; for TCP only those that listen.
    static func inodes(in table: String, port: UInt16, isTCP: Bool) -> [String] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            // sl, local address, remote address, state, queues, timer, retransmits, uid, timeout, inode
            let columns = line.split(separator: " ")
            guard columns.count > 9, let local = columns[1].split(separator: ":").last,
                UInt16(local, radix: 16) == port, !isTCP || columns[3] == "0A"
            else { return nil }
            return String(columns[9])
        }
    }

    /// Processes of this name in the same network namespace, or in one that cannot be determined.
    static func named(_ name: String) -> [Int32] {
        let own = link("/proc/self/ns/net")
        return processes().filter { process in
            // A zombie has no arguments.
            guard self.name(of: process) == name, !arguments(of: process).isEmpty else { return false }
            let theirs = link("/proc/\(process)/ns/net")
            return theirs == nil || theirs == own
        }
    }

    static func arguments(of process: Int32) -> [String] {
        ProcFile.read("/proc/\(process)/cmdline", 16 << 10).split(separator: "\0").map(String.init)
    }

    private static func name(of process: Int32) -> String {
        String(ProcFile.read("/proc/\(process)/comm", 64).prefix { $0 != "\n" })
    }

    private static func processes() -> [Int32] {
        Array(ProcFile.names(in: "/proc", processesMax + 512).compactMap { Int32($0) }.prefix(processesMax))
    }

    private static func hasOpen(_ links: Set<String>, _ process: Int32) -> Bool {
        ProcFile.names(in: "/proc/\(process)/fd", descriptorsMax).contains { name in
            link("/proc/\(process)/fd/\(name)").map(links.contains) ?? false
        }
    }

    private static func link(_ path: String) -> String? { ProcFile.link(path) }
}

/// Reads small kernel files.
// Safety: buffers are lent to the system for the length of a call, with their true sizes; an entry of a folder is read
// before the next one is requested.
enum ProcFile {
    /// - Returns: up to `bytesMax` bytes of the file; empty if it cannot be read.
    static func read(_ path: String, _ bytesMax: Int) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < bytesMax {
            let count = Glibc.read(descriptor, &buffer, min(buffer.count, bytesMax - bytes.count))
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func names(in folder: String, _ countMax: Int) -> [String] {
        guard let list = opendir(folder) else { return [] }
        defer { closedir(list) }
        var names: [String] = []
        while names.count < countMax, let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
                    String(cString: $0)
                }
            }
            names.append(name)
        }
        return names
    }

    /// The target of a symbolic link; `nil` if there is none, or it is not accessible.
    static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
