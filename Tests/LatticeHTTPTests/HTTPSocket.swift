import Foundation
import Glibc
import Testing

/// A client that sends raw bytes and reads only on demand.
// Safety: buffers are lent to the system for the length of a call, with their true sizes; one thread reads at a time.
final class HTTPSocket: @unchecked Sendable {
    struct Ended: Error {}

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private let queue = DispatchQueue(label: "HTTP socket")

    /// - Parameter host: which of this machine's addresses the other side sees, as in 127.0.0.1.
    init(_ port: UInt16, from host: UInt8 = 1) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let result =
            Self.with(host, 0) { bind(descriptor, $0, $1) } == 0
            ? Self.with(1, port) { connect(descriptor, $0, $1) } : -1
        try #require(result == 0)
    }

    private static func with(
        _ host: UInt8, _ port: UInt16, _ act: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 | UInt32(host)).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                act($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    /// - Returns: whether all of it was taken.
    @discardableResult func send(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// Whether the other side has ended it, and nothing is left to read.
    var hasEnded: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }

    /// Says that nothing more will come.
    func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// One answer with a length, on a connection that may go on.
    func answer(hasBody: Bool = true) async throws -> HTTPAnswer {
        try await onThread {
            let head = String(decoding: try self.take(through: "\r\n\r\n"), as: UTF8.self)
            var answer = try HTTPAnswer(head: head)
            if hasBody, let length = answer.headers["content-length"].flatMap({ Int($0) }), answer.status != 304 {
                while self.buffer.count < length { try self.readMore() }
                answer.body = Array(self.buffer.prefix(length))
                self.buffer.removeFirst(length)
            }
            return answer
        }
    }

    /// Everything up to a text, with it.
    func hears(_ text: String) async throws -> String {
        try await onThread { String(decoding: try self.take(through: text), as: UTF8.self) }
    }

    /// All that comes until the other side ends.
    func rest() async throws -> String {
        try await onThread {
            do { while true { try self.readMore() } } catch is Ended {}
            return String(decoding: self.buffer, as: UTF8.self)
        }
    }

    private func onThread<Value: Sendable>(_ act: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try act() }) }
        }
    }

    private func take(through text: String) throws -> [UInt8] {
        let wanted = Array(text.utf8)
        while true {
            if let range = buffer.firstRange(of: wanted) {
                let bytes = Array(buffer[..<range.upperBound])
                buffer.removeSubrange(..<range.upperBound)
                return bytes
            }
            try readMore()
        }
    }

    private func readMore() throws {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        guard count > 0 else { throw Ended() }
        buffer += chunk[..<count]
    }
}

struct HTTPAnswer: Sendable {
    let status: Int
    let headers: [String: String]
    var body: [UInt8] = []

    init(head: String) throws {
        let lines = head.components(separatedBy: "\r\n")
        status = try #require(lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { continue }
            headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
        }
        self.headers = headers
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed) }

    func object() throws -> [String: Any] { try #require(try json() as? [String: Any]) }
}
