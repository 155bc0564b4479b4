import Foundation

/// A connection to a Unix socket.
// Safety: structures and buffers are lent to the kernel for the length of each call, with their true sizes.
final class UnixConnection {
    let descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError("no more sockets: \(String(cString: strerror(errno)))") }
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

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    static func pair() throws -> (UnixConnection, UnixConnection) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw BenchError("no more sockets: \(String(cString: strerror(errno)))")
        }
        return (UnixConnection(ends[0]), UnixConnection(ends[1]))
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

    /// Reads until a line has `text` in it.
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
            guard count > 0 else { throw BenchError("the node ended the connection") }
            buffer += chunk[..<count]
        }
    }
}
