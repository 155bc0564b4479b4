import Foundation
import Glibc
import LatticeCore
import Testing

@testable import LatticeShare

/// A server on a port of its own, with files of its own.
struct ShareRig: Sendable {
    let server: ShareServer
    let offer: Offer
    let folder: String

    /// A real program that answers `--version`, and is there on every Linux.
    static let program = "/bin/true"

    static var machine: String {
        var names = utsname()
        uname(&names)
        return withUnsafeBytes(of: names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    static let next = ["join", "lattice://join/it%27s?v=1&closed=1"]

    /// - Parameter sourceBytes: how large the sources are.
    static func offer(
        in folder: String, program: String = program, sourceBytes: Int = 1_000, next: [String] = next
    ) throws -> Offer {
        let source = "\(folder)/source"
        var content = Data("# v2 git bundle\n".utf8) + Data((0..<251).map(UInt8.init))
        while content.count < sourceBytes + 16 { content += content }
        let wanted = content.prefix(sourceBytes + 16)
        try #require(FileManager.default.createFile(atPath: source, contents: wanted))
        return Offer(
            program: try SharedFile(.program, at: program, name: "lattice"), machine: machine, debian: nil,
            source: try SharedFile(.source, at: source, name: "source.bundle"), next: { next })
    }

    static func inFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = NSTemporaryDirectory() + "lattice-share-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer {
            do {
                try FileManager.default.removeItem(atPath: folder)
            } catch {
                Issue.record("the folder of the test is left: \(error)")
            }
        }
        return try await body(folder)
    }

    static func serving(
        program: String = program, sourceBytes: Int = 1_000, _ change: (inout ShareLimits) -> Void = { _ in },
        body: @escaping @Sendable (ShareRig) async throws -> Void
    ) async throws {
        try await inFolder { folder in
            let offer = try offer(in: folder, program: program, sourceBytes: sourceBytes)
            var limits = ShareLimits()
            change(&limits)
            let server = try await ShareServer.listening(
                at: PeerAddress(host: "127.0.0.1", port: 0), offer: offer, limits: limits)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await server.run() }
                defer { group.cancelAll() }
                try await body(ShareRig(server: server, offer: offer, folder: folder))
            }
        }
    }

    var base: String { "http://127.0.0.1:\(server.address.port)" }

    func socket(from host: UInt8 = 1, bufferBytes: Int32? = nil) throws -> ShareSocket {
        try ShareSocket(server.address.port, from: host, bufferBytes: bufferBytes)
    }

    func ask(_ target: String, method: String = "GET", headers: [String] = [], from host: UInt8 = 1) async throws
        -> Answered
    {
        let socket = try socket(from: host)
        socket.send(Self.request(target, method: method, headers: headers))
        return try Answered(await socket.rest())
    }

    static func request(_ target: String, method: String = "GET", headers: [String] = []) -> String {
        (["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1"] + headers).map { "\($0)\r\n" }.joined() + "\r\n"
    }

    /// The next event, of which there is one.
    func event() async throws -> ShareEvent {
        var events = server.events.makeAsyncIterator()
        return try #require(await events.next())
    }
}

func until(_ isSo: () async throws -> Bool) async rethrows {
    while try await !isSo() { await Task.yield() }
}

struct Answered {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        status = try #require(lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
        }
        self.headers = headers
        body = Array(bytes[end.upperBound...])
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A client that sends raw bytes and reads only on demand.
// Safety: buffers are lent to the system for the length of a call, with their true sizes; one thread reads at a time.
final class ShareSocket: @unchecked Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "share socket")

    /// - Parameter bufferBytes: how much the system takes for it before it is read.
    init(_ port: UInt16, from host: UInt8, bufferBytes: Int32?) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var bytes = bufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
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
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { act($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Waits for the first bytes, and leaves the rest.
    func begins() async { await onThread { _ = self.readMore(1) } }

    /// All that comes until the other side ends.
    func rest() async -> [UInt8] {
        await onThread {
            var bytes: [UInt8] = []
            while let more = self.readMore(1 << 16) { bytes += more }
            return bytes
        }
    }

    private func onThread<Value: Sendable>(_ act: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: act()) } }
    }

    private func readMore(_ count: Int) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: count)
        let count = Glibc.read(descriptor, &chunk, count)
        return count > 0 ? Array(chunk[..<count]) : nil
    }
}
