import Foundation

/// A stranger's TCP connection from any local address.
// Safety: structures and buffers are lent to the kernel for the length of each call, with their true sizes.
final class AttackSocket {
    private let descriptor: Int32

    /// - Parameter source: its address in 127.0.0.0/8.
    init(port: UInt16, from source: String) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError("no more sockets: \(String(cString: strerror(errno)))") }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        _ = Self.withAddress(source, 0) { bind(descriptor, $0, $1) }
        guard Self.withAddress("127.0.0.1", port, { connect(descriptor, $0, $1) }) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw BenchError("no connection: \(reason)")
        }
    }

    deinit { close(descriptor) }

    private static func withAddress(
        _ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// - Returns: whether everything was sent; `false` if the other side has closed, or accepts nothing for a second.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// The next message without its length; `nil` if it does not come within a second.
    func message() -> [UInt8]? {
        guard let length = read(2) else { return nil }
        return read(Int(length[0]) << 8 + Int(length[1]))
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var chunk = [UInt8](repeating: 0, count: count - bytes.count)
            let got = recv(descriptor, &chunk, chunk.count, 0)
            guard got > 0 else { return nil }
            bytes += chunk[..<got]
        }
        return bytes
    }
}
