import Foundation

/// A connection to a Unix socket, or by TCP to a local port.
// Safety: structures and buffers are lent to the kernel for the length of each call, with their true sizes.
final class SocketConnection {
    let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to a Unix socket.
    convenience init(_ path: String) throws {
        self.init(try Self.opened(AF_UNIX))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { throw BenchError("nobody listens at \(path)") }
    }

    /// Connects to 127.0.0.1.
    ///
    /// - Parameters:
    ///   - receiveBytesMax: approximate size of the kernel's receive buffer; `nil` is the default.
    ///   - from: the local address that the server sees, as a number; `nil` lets the kernel choose.
    convenience init(port: UInt16, receiveBytesMax: Int32? = nil, from: UInt32? = nil) throws {
        self.init(try Self.opened(AF_INET))
        if var bytes = receiveBytesMax {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        if let from {
            var own = Self.loopback(0)
            own.sin_addr.s_addr = from.bigEndian
            guard Self.withGeneric(&own, { bind(descriptor, $0, $1) }) == 0 else {
                throw BenchError("no address: \(String(cString: strerror(errno)))")
            }
        }
        var address = Self.loopback(port)
        guard Self.withGeneric(&address, { connect(descriptor, $0, $1) }) == 0 else {
            throw BenchError("nobody listens at port \(port)")
        }
    }

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    static func pair() throws -> (SocketConnection, SocketConnection) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw BenchError("no more sockets: \(String(cString: strerror(errno)))")
        }
        return (SocketConnection(ends[0]), SocketConnection(ends[1]))
    }

    /// Both ends of a TCP connection.
    static func loopbackPair() throws -> (SocketConnection, SocketConnection) {
        let listener = SocketConnection(try opened(AF_INET))
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening =
            withGeneric(&address) { bind(listener.descriptor, $0, $1) } == 0 && listen(listener.descriptor, 1) == 0
            && withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(listener.descriptor, $0, &length)
                }
            } == 0
        guard isListening else { throw BenchError("no port: \(String(cString: strerror(errno)))") }
        let far = try SocketConnection(port: UInt16(bigEndian: address.sin_port))
        let near = accept(listener.descriptor, nil, nil)
        guard near >= 0 else { throw BenchError("no more sockets: \(String(cString: strerror(errno)))") }
        var isOn: Int32 = 1
        setsockopt(near, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        return (SocketConnection(near), far)
    }

    private static func opened(_ family: Int32) throws -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError("no more sockets: \(String(cString: strerror(errno)))") }
        return descriptor
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withGeneric(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    func send(_ text: String) throws { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent)
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Reads until a line contains `text`.
    ///
    /// - Returns: that line.
    @discardableResult
    func wait(for text: String) throws -> String {
        while true {
            while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeSubrange(...end)
                if line.contains(text) { return line }
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { throw BenchError("the node ended the connection before it said \(text)") }
            buffer += chunk[..<count]
        }
    }
}
