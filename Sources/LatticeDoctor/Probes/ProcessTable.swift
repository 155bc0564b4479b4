import Glibc

/// Which programs run on this machine and what they hold open, as far as this person may know (proc(5)).
enum ProcessTable {
    /// A guess; looking at each takes some microseconds.
    private static let processesMax = 8_192
    private static let descriptorsMax = 4_096
    /// Tables of sockets of a busy server.
    private static let tableBytesMax = 4 << 20

    /// Programs of this machine that have a UDP port open, or listen on a TCP port, by their names, each once.
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

    /// Numbers of the sockets with this port: those that listen, of TCP.
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

    /// Processes of this name that have the network of this one, or of which that cannot be known.
    static func named(_ name: String) -> [Int32] {
        let own = link("/proc/self/ns/net")
        return processes().filter { process in
            // One that has ended, and whose parent has yet to look, has none.
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

/// Small files of the kernel, read whole.
// Safety: buffers are lent to the system for the length of a call, with their true sizes; an entry of a folder is read before the next
// one is asked for.
enum ProcFile {
    /// - Returns: what can be read of it, up to so many bytes; empty where nothing can.
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

    /// Where a symbolic link leads; `nil` where there is none, or this person may not know.
    static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
