import Glibc
import LatticeCore

/// Inspects this machine. Writes nothing.
// Safety: structures are lent to the system for the length of a call, with their true sizes.
enum MachineProbe {
    /// - Parameters:
    ///   - folder: this person's data folder; it need not exist.
    ///   - port: the requested port, if it should be tested.
    static func run(folder: String?, port: UInt16?) -> MachineFact {
        var limit = rlimit()
        let hasLimit = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return MachineFact(
            folder: folder.map(look), port: port.map(look),
            descriptors: hasLimit ? Int(clamping: limit.rlim_cur) : nil, clock: clock())
    }

    private static func look(at path: String) -> MachineFact.Folder {
        var folder = MachineFact.Folder(path: path)
        // A missing folder would be created in its nearest existing parent.
        var place = path
        while access(place, F_OK) != 0, errno == ENOENT, let slash = place.lastIndex(of: "/"), slash > place.startIndex
        {
            place = String(place[..<slash])
        }
        if access(place, W_OK | X_OK) != 0 { folder.objection = SocketFault().text }
        var facts = statvfs()
        if statvfs(place, &facts) == 0 {
            folder.freeBytes = UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
            folder.totalBytes = UInt64(facts.f_blocks) * UInt64(facts.f_frsize)
        }
        return folder
    }

    /// Binds the port for a moment, without listening.
    private static func look(at port: UInt16) -> MachineFact.Port {
        for family in [AF_INET6, AF_INET] {
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var yes: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            guard take(port, family, descriptor) != 0 else { continue }
            switch errno {
            case EADDRINUSE: return .taken(by: ProcessTable.holders(of: port, isTCP: true).first)
            case EACCES, EPERM: return .forbidden
            default: continue
            }
        }
        return .free
    }

    private static func take(_ port: UInt16, _ family: Int32, _ descriptor: Int32) -> Int32 {
        if family == AF_INET6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func clock() -> WallTime? {
        var time = timespec()
        guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return nil }
        return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
