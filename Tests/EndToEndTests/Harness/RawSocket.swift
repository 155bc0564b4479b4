import Foundation
import Glibc

/// A TCP connection that says whatever a test wants, well-mannered or not.
// Safety: addresses and buffers are lent to the calls of the socket for their length, with their true sizes.
final class RawSocket {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var hasEnded = false

    /// - Parameter source: an address of 127.0.0.0/8; one stranger's is not another's.
    init(port: Int, from source: String = "127.0.0.66") throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try Self.name(descriptor, source, 0, bind)
        try Self.name(descriptor, "127.0.0.1", UInt16(port), connect)
    }

    deinit { close(descriptor) }

    /// A peer that is bored may close in the middle of it.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// What came back so far.
    func received() -> [UInt8] {
        drain()
        return bytes
    }

    /// Whether the other side has closed it.
    func isClosed() -> Bool {
        drain()
        return hasEnded
    }

    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !hasEnded {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { bytes += buffer[..<count] }
            if count < 0, errno == EAGAIN { return }
            if count <= 0, errno != EINTR || count == 0 { hasEnded = true }
        }
    }

    private static func name(
        _ descriptor: Int32, _ host: String, _ port: UInt16,
        _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Child.Fault(description: "no connection with port \(port): errno \(errno)") }
    }
}
