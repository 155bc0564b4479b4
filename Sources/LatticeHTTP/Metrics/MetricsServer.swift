package import LatticeAPI
package import LatticeCore
import LatticeMetrics
import LatticeSocket
import NIOCore
import NIOHTTP1
import Synchronization

/// Serves the metrics of a node in Prometheus format at `/metrics`, and nothing else. Needs no token: metrics are
/// counts and name nobody.
package struct MetricsServer: Sendable {
    package static let path = "/metrics"

    /// One or two machines query every few seconds.
    package static var limitsUsual: HTTPLimits {
        var limits = HTTPLimits()
        limits.connectionsMax = 32
        limits.addressConnectionsMax = 16
        limits.ownAddressConnectionsMax = 24
        limits.addressesMax = 256
        limits.requests = TokenBucket.Rate(perSecond: 20, burst: 100)
        limits.connectionRequests = limits.requests
        return limits
    }

    private let listener: HTTPListener
    private let answers: Answers
    /// The listening address, with the port that the system chose.
    package var address: PeerAddress { listener.address }

    /// Binds an address.
    ///
    /// - Parameters:
    ///   - address: port 0 lets the system choose.
    ///   - now: the clock of the request rates.
    /// - Throws: `AddressFault` if the address cannot be bound.
    package static func listening(
        at address: PeerAddress, node: any MeshNode, limits: HTTPLimits = limitsUsual,
        now: @escaping @Sendable () -> Instant = HTTPSettings.eventLoopClock
    ) async throws -> MetricsServer {
        let table = ConnectionTable(limits.table, now: now)
        let answers = Answers(node: node, table: table)
        let listener = try await HTTPListener(at: address, limits: limits, table: table) {
            try await answers.respond(to: $0, in: $1)
        }
        return MetricsServer(listener: listener, answers: answers)
    }

    /// Serves until its task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await listener.accept() }
            await group.next()
            await listener.closeAll { answers.isAnswering }
        }
        await listener.shutDown()
    }
}

private final class Answers: Sendable {
    private let node: any MeshNode
    private let table: ConnectionTable
    private let answering = Atomic(0)

    init(node: any MeshNode, table: ConnectionTable) {
        self.node = node
        self.table = table
    }

    /// Whether a response is in progress.
    var isAnswering: Bool { answering.load(ordering: .relaxed) > 0 }

    func respond(to head: HTTPRequestHead, in conversation: HTTPConversation) async throws {
        answering.add(1, ordering: .relaxed)
        defer { answering.subtract(1, ordering: .relaxed) }
        let reply = await reply(to: head, conversation.channel)
        try await conversation.write(reply, isHead: head.method == .HEAD)
    }

    private func reply(to head: HTTPRequestHead, _ channel: any Channel) async -> HTTPReply {
        do throws(HTTPProblem) {
            guard table.mayAsk(channel, isWrite: false) else { throw .tooMany }
            guard RequestTarget(head.uri).path.prefix(while: { $0 != "?" }) == MetricsServer.path else {
                throw .notFound("There is nothing here but \(MetricsServer.path).")
            }
            guard head.method == .GET || head.method == .HEAD else {
                var problem = HTTPProblem.wrongMethod(allowed: ["GET", "HEAD"])
                problem.headers["connection"] = "close"
                throw problem
            }
            return HTTPReply(200, type: Exposition.contentType, body: .bytes(Array(try await text().utf8)))
        } catch {
            return error.reply
        }
    }

    private func text() async throws(HTTPProblem) -> String {
        do {
            let stats = try await node.perform(ShowStats())
            return Exposition.text(stats.families)
        } catch {
            throw HTTPProblem(error)
        }
    }
}
