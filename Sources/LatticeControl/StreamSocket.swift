// Safety: buffers are lent to the system for the length of each call, with their true sizes.

import Glibc

/// A connection that carries the bytes of one stream. Its calls block.
package final class StreamSocket: Sendable {
    private let descriptor: Int32

    /// - Returns: `nil` if nobody listens there.
    init?(path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path ends with a zero.
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard result == 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Returns: the error number if not everything was sent.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Int32? {
        var sent = 0
        while sent < bytes.count {
            let count = Glibc.send(
                descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            if count >= 0 { sent += count } else if errno != EINTR { return errno }
        }
        return nil
    }

    func send(_ bytes: [UInt8]) -> Int32? {
        bytes.withUnsafeBytes { send($0) }
    }

    /// - Returns: how many bytes were received; 0 at the end, or if the connection broke.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            guard errno == EINTR else { return 0 }
        }
    }

    /// - Returns: `nil` if the connection ends before a line feed.
    func line(bytesMax: Int) -> [UInt8]? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        // The bytes of the stream follow, so one at a time.
        while line.count < bytesMax, withUnsafeMutableBytes(of: &byte, { receive(into: $0) }) == 1 {
            guard byte != UInt8(ascii: "\n") else { return line }
            line.append(byte)
        }
        return nil
    }

    /// Nothing more is sent.
    package func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends both directions, and every call that waits.
    package func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
