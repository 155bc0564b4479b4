import Foundation
import LatticeAPI
import LatticeCore
import Synchronization
import Testing

@testable import LatticeHTTP

/// A server on a port of its own, and a node that says what it was asked.
struct HTTPRig: Sendable {
    let node: FakeNode
    let server: HTTPServer
    let users: KeptUsers

    /// What was kept of those who make events.
    final class KeptUsers: Sendable {
        let text = Mutex("")
        /// Why nothing is kept.
        let refusal = Mutex<RequestError?>(nil)

        func refuse(_ error: RequestError?) { refusal.withLock { $0 = error } }
    }

    static func settings(_ users: KeptUsers = KeptUsers()) -> HTTPSettings {
        var settings = HTTPSettings(
            token: Sample.token, version: "1", digest: { "digest-\($0.count)-\($0.hashValue)" })
        settings.limits.waitLong()
        settings.keepUsers = { kept in
            if let refusal = users.refusal.withLock({ $0 }) { return .failure(refusal) }
            users.text.withLock { $0 = kept.text }
            return .success(())
        }
        return settings
    }

    static func serving(
        _ change: (inout HTTPSettings) -> Void = { _ in },
        body: @escaping @Sendable (HTTPRig) async throws -> Void
    ) async throws {
        let users = KeptUsers()
        var settings = settings(users)
        change(&settings)
        let node = FakeNode()
        let server = try await HTTPServer.listening(
            at: PeerAddress(host: "127.0.0.1", port: 0), node: node, settings: settings)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            defer { group.cancelAll() }
            try await body(HTTPRig(node: node, server: server, users: users))
        }
    }

    var port: UInt16 { server.address.port }

    /// - Parameter host: of 127.0.0.0, where the other side sees it.
    func socket(from host: UInt8 = 1) throws -> HTTPSocket { try HTTPSocket(port, from: host) }

    /// One request on a connection of its own.
    ///
    /// - Parameter body: sent as JSON.
    func ask(
        _ method: String = "GET", _ target: String, token: String? = nil, headers: [String: String] = [:],
        body: String? = nil, from host: UInt8 = 1
    ) async throws -> HTTPAnswer {
        let socket = try socket(from: host)
        var headers = headers
        headers["Host"] = headers["Host"] ?? "127.0.0.1:\(port)"
        if let token { headers["Authorization"] = "Bearer \(token)" }
        if let body {
            headers["Content-Type"] = headers["Content-Type"] ?? "application/json"
            headers["Content-Length"] = "\(body.utf8.count)"
        }
        let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
        socket.send("\(method) \(target) HTTP/1.1\r\n\(lines)\r\n\(body ?? "")")
        return try await socket.answer(hasBody: method != "HEAD")
    }

    /// The same with the token.
    func own(
        _ method: String = "GET", _ target: String, headers: [String: String] = [:], body: String? = nil
    ) async throws -> HTTPAnswer {
        try await ask(method, target, token: Sample.token.text, headers: headers, body: body)
    }

    /// An open stream; what it says first is read.
    func stream(
        _ target: String = "/v1/stream", token: String? = nil, after: String? = nil, from host: UInt8 = 1
    ) async throws -> HTTPSocket {
        let socket = try socket(from: host)
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let last = after.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        socket.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(authorization)\(last)\r\n")
        _ = try await socket.hears("retry: 2000\n\n")
        return socket
    }
}

/// Looks again and again, until it is so.
func until(_ isSo: () async -> Bool) async {
    while await !isSo() { await Task.yield() }
}

extension HTTPLimits {
    /// A test that gets no processor for a minute loses no connection.
    mutating func waitLong() {
        let hour: Duration = .seconds(3_600)
        (headTimeout, idleTimeout, bodyTimeout, writeTimeout) = (hour, hour, hour, hour)
    }
}

extension HTTPSettings {
    /// No token comes back, however long it takes.
    mutating func stopClock() {
        now = { Instant(nanoseconds: 0) }
    }
}
