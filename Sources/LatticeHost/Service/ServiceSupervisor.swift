import Glibc
import LatticeCore
import LatticeSettings

/// The service manager that started this process and wants status messages (sd_notify(3)): a datagram socket.
// Safety: an address and the bytes of a notice are lent to the system for the length of a call, with their true sizes;
// the path is written within the bounds of its array.
package struct ServiceSupervisor: Sendable {
    let watchdogInterval: Duration?
    private let path: String

    /// Limit on waiting for a manager that does not read.
    private static let patience = timeval(tv_sec: 0, tv_usec: 200_000)

    /// - Parameters:
    ///   - variable: looks up an environment variable.
    ///   - process: this process's id; values for another process are ignored.
    /// - Returns: `nil` if no manager wants messages.
    package init?(process: Int32, variable: (String) -> String?) {
        // Supports addresses in the file system and abstract ones.
        guard let path = variable("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@"),
            path.utf8.count < UnixAddress.pathBytesMax
        else { return nil }
        self.path = path
        watchdogInterval = Self.watchdogInterval(process: process, variable)
    }

    /// Half of the manager's watchdog timeout (sd_watchdog_enabled(3)).
    static func watchdogInterval(process: Int32, _ variable: (String) -> String?) -> Duration? {
        guard let limit = variable("WATCHDOG_USEC").flatMap({ Int64($0) }), limit > 1,
            variable("WATCHDOG_PID").map({ Int32($0) == process }) ?? true
        else { return nil }
        return .microseconds(limit / 2)
    }

    /// - Throws: `SystemFault` if the message could not be sent.
    func tell(_ notice: ServiceNotice) throws(SystemFault) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemFault() }
        defer { close(descriptor) }
        var patience = Self.patience
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let bytes = Array(notice.text.utf8)
        let count = UnixAddress.with(path) { address, length in
            sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
        }
        guard count == bytes.count else { throw SystemFault() }
    }
}

/// The address of a Unix socket.
// Safety: the path is checked to fit, and the cleared structure ends it with a NUL; the structure is lent for one call,
// with its true size.
enum UnixAddress {
    /// Size of `sun_path`, including the final NUL (unix(7)).
    static let pathBytesMax = 108

    /// - Parameter path: shorter than 108 bytes. A leading `@` makes it abstract: the first byte is NUL, and all bytes
    ///   count.
    static func with<Answer>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer) -> Answer {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        precondition(bytes.count < pathBytesMax, "who names a path has measured it")
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }

    /// - Returns: the path of a listening socket; `nil` if it has none or is of another kind.
    static func path(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
        guard Int(length) > start else { return nil }
        let bytes = withUnsafeBytes(of: &address.sun_path) { Array($0.prefix(Int(length) - start)) }
        guard bytes.first != 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
