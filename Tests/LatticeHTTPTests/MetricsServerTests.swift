import LatticeAPI
import LatticeCore
import LatticeMetrics
import LatticeSocket
import Testing

@testable import LatticeHTTP

/// Metrics over HTTP, for monitoring.
@Suite(.timeLimit(.minutes(5))) struct MetricsServerTests {
    /// A node that has counted one thing, and fails on demand.
    private actor CountingNode: MeshNode {
        private(set) var asked = 0
        private var refusal: RequestError?

        func refuse(_ error: RequestError) { refusal = error }

        func events() async -> NodeEvents { NodeEvents.makeStream().0 }

        func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
            asked += 1
            if let refusal { throw refusal }
            let stats = NodeStats(
                links: 1, incoming: 0, outgoing: 1, halfOpen: 0, addresses: 0, waitingBytes: 0, waitingRecords: 0,
                refused: RefusalCounts(),
                families: [MetricFamily("asked_total", .counter, "How often.", Double(asked))])
            guard let reply = stats as? R.Reply else { preconditionFailure("nothing else is asked for it") }
            return reply
        }
    }

    private func serving(
        _ limits: HTTPLimits = MetricsServer.limitsUsual,
        body: @escaping @Sendable (CountingNode, UInt16) async throws -> Void
    ) async throws {
        let node = CountingNode()
        var limits = limits
        limits.waitLong()
        // No token comes back, however long it takes.
        let server = try await MetricsServer.listening(
            at: PeerAddress(host: "127.0.0.1", port: 0), node: node, limits: limits, now: { Instant(nanoseconds: 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            defer { group.cancelAll() }
            try await body(node, server.address.port)
        }
    }

    private func ask(
        _ port: UInt16, _ line: String, _ headers: String = "Host: x\r\n", body: String = ""
    ) async throws -> HTTPAnswer {
        let socket = try HTTPSocket(port)
        socket.send("\(line) HTTP/1.1\r\n\(headers)\r\n\(body)")
        return try await socket.answer(hasBody: !line.hasPrefix("HEAD"))
    }

    @Test func whoeverAsksIsToldWhateverTheMachineIsCalled() async throws {
        try await serving { node, port in
            for (number, host) in ["localhost", "10.1.2.3:9", "monitor.example"].enumerated() {
                let answer = try await ask(port, "GET /metrics", "Host: \(host)\r\n")
                #expect(answer.status == 200)
                #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(
                    answer.text
                        == "# HELP asked_total How often.\n# TYPE asked_total counter\nasked_total \(number + 1)\n")
            }
            #expect(try await ask(port, "GET /metrics?name=x").status == 200)
            let head = try await ask(port, "HEAD /metrics")
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    @Test func thereIsNothingElse() async throws {
        try await serving { node, port in
            for path in ["/", "/metrics/", "/metricsx", "/v1/me", "/..", "*"] {
                #expect(try await ask(port, "GET \(path)").status == 404, "\(path)")
            }
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
                let answer = try await ask(
                    port, "\(method) /metrics", "Host: x\r\nContent-Length: 4\r\n", body: "body")
                #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD", "\(method)")
            }
            #expect(await node.asked == 0)
        }
    }

    @Test func aNodeThatCannotSayIsNotSilent() async throws {
        try await serving { node, port in
            await node.refuse(RequestError.other(code: .stopped, message: "it has ended"))
            let answer = try await ask(port, "GET /metrics")
            #expect(answer.status == 503 && answer.text.contains("It has ended."))
        }
    }

    @Test func severalAreAskedOverOneConnection() async throws {
        try await serving { node, port in
            let socket = try HTTPSocket(port)
            for count in 1...3 {
                socket.send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await socket.answer().text.hasSuffix("asked_total \(count)\n"))
            }
        }
    }

    /// Silent connections keep nobody out.
    @Test func silentConnectionsGiveWay() async throws {
        var limits = MetricsServer.limitsUsual
        (limits.connectionsMax, limits.ownAddressConnectionsMax) = (3, 3)
        try await serving(limits) { _, port in
            let silent = try (0..<6).map { _ in try HTTPSocket(port) }
            // One of them may be taken after the one that asks, and push it out.
            await until {
                do { return try await ask(port, "GET /metrics").status == 200 } catch { return false }
            }
            withExtendedLifetime(silent) {}
        }
    }

    @Test func whoAsksTooMuchWaits() async throws {
        var limits = MetricsServer.limitsUsual
        limits.connectionRequests = TokenBucket.Rate(perSecond: 1, burst: 2)
        try await serving(limits) { _, port in
            let socket = try HTTPSocket(port)
            var statuses: [Int] = []
            for _ in 0..<6 {
                socket.send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
                statuses.append(try await socket.answer().status)
            }
            #expect(statuses == [200, 200, 429, 429, 429, 429])
        }
    }

    @Test func aPortThatIsTakenIsToldOf() async throws {
        try await serving { node, port in
            let address = PeerAddress(host: "127.0.0.1", port: port)
            await #expect(throws: AddressFault(.inUse, at: "\(address)")) {
                _ = try await MetricsServer.listening(at: address, node: node)
            }
        }
    }
}
