import Foundation
import Glibc
import Testing

/// A client that sends raw bytes and reads only on demand.
// Safety: buffers are lent to the system for the length of a call, with their true sizes; one thread reads at a time.
final class IRCSocket: @unchecked Sendable {
    struct Ended: Error {}

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private let queue = DispatchQueue(label: "IRC socket")

    init(_ port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }

    func send(_ text: String) { send(bytes: Array(text.utf8)) }

    func send(bytes: [UInt8]) {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    func joins(_ room: String) async throws {
        send("JOIN \(room)\r\n")
        _ = try await line { $0.contains(" 366 ") }
    }

    /// The next line of such a kind; waits for it on a thread of its own.
    func line(_ isWanted: @escaping @Sendable (String) -> Bool) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.read(isWanted) }) }
        }
    }

    private func read(_ isWanted: (String) -> Bool) throws -> String {
        while true {
            while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end].filter { $0 != 0x0D }, as: UTF8.self)
                buffer.removeSubrange(...end)
                if isWanted(line) { return line }
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { throw Ended() }
            buffer += chunk[..<count]
        }
    }
}
