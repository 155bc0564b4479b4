import Foundation
import Glibc
import LatticeAPI
import LatticeCore
import Logging
import Synchronization
import Testing

@testable import LatticeControl

/// A node that does everything it is asked, or nothing.
actor ObligingNode: MeshNode {
    private var asked: [any Request] = []
    private var refusal: RequestError?
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var mayGo = false
    private var peers: [PeerInfo] = []
    /// Events from the start on.
    let stream: NodeEvents
    private var inputs: [NodeEvents.Input]

    /// In order.
    nonisolated var requests: [AnyHashable] { get async { await asked.map { AnyHashable($0) } } }

    init() {
        let (stream, input) = NodeEvents.makeStream()
        (self.stream, inputs) = (stream, [input])
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        asked.append(request)
        if let refusal { throw refusal }
        if request is Flush, !mayGo { await withCheckedContinuation { waiters.append($0) } }
        if request is ListPeers, let reply = ListPeers.Reply(peers) as? R.Reply { return reply }
        guard let reply = Exchange.all.lazy.compactMap({ $0.reply as? R.Reply }).first else {
            preconditionFailure("\(R.name) has no sample")
        }
        return reply
    }

    func events() -> NodeEvents {
        let (stream, input) = NodeEvents.makeStream()
        inputs.append(input)
        return stream
    }

    /// For each stream of events that was given, whether its reader is gone.
    var areGone: [Bool] { inputs.map(\.isGone) }

    func refuse(_ error: RequestError) { refusal = error }

    func know(_ peers: [PeerInfo]) { self.peers = peers }

    func tell(_ event: NodeEvent) {
        for input in inputs { input.yield(event) }
    }

    func letGo() {
        mayGo = true
        waiters.forEach { $0.resume() }
        waiters = []
    }
}

/// A control socket in a folder of its own.
final class Served: Sendable {
    let node = ObligingNode()
    let streams = PatientStream()
    let feeds = PatientFeeds()
    let folder: String
    private let server = Mutex<ControlServer?>(nil)

    init() throws {
        folder = try #require(mkdtemp(strdup("/tmp/lattice-control-XXXXXX")).map { String(cString: $0) })
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { "\(folder)/socket" }

    /// Returns when nobody is connected.
    func idle() async {
        await server.withLock { $0 }?.idle()
    }

    func run(_ body: @Sendable (Served) async throws -> Void) async throws {
        let server = try await ControlServer.listening(
            at: path, node: node, names: Exchange.names, streams: streams, feeds: feeds,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        self.server.withLock { $0 = server }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run(events: self.node.stream) }
            defer { group.cancelAll() }
            try await body(self)
            await node.letGo()
        }
    }

    func attached(_ body: @Sendable (ControlClient) async throws -> Void) async throws {
        try await attached(try await ControlClient.connected(to: path), body)
    }

    func attached(_ client: ControlClient, _ body: @Sendable (ControlClient) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            defer { group.cancelAll() }
            try await body(client)
        }
    }
}

/// A client that sends raw bytes and reads only on demand.
final class RawSocket: @unchecked Sendable {
    struct Ended: Error {}

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// How many bytes of the buffer hold no end of a line.
    private var searched = 0
    private let queue = DispatchQueue(label: "raw socket")

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ all: [UInt8]) {
        var bytes = all[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    func end() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next line; waits for it on a thread of its own.
    func line() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.read() }) }
        }
    }

    /// Sends on a thread of its own, as far as the other side reads.
    func sendMeanwhile(_ bytes: [UInt8]) {
        DispatchQueue(label: "raw socket sends").async { self.send(bytes) }
    }

    /// Everything until the other side ends.
    func rest() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            queue.async {
                var all = self.buffer
                var chunk = [UInt8](repeating: 0, count: 65_536)
                while case let count = Glibc.read(self.descriptor, &chunk, chunk.count), count > 0 {
                    all += chunk[..<count]
                }
                continuation.resume(returning: all)
            }
        }
    }

    private func read() throws -> String {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer {
                    buffer.removeSubrange(...end)
                    searched = 0
                }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            searched = buffer.count
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { throw Ended() }
            buffer += chunk[..<count]
        }
    }
}
