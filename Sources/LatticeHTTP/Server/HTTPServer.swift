import HTTPTypes
import HummingbirdCore
package import LatticeAPI
package import LatticeCore
import LatticeSocket
package import Logging
import NIOCore
import NIOHTTPTypes
import NIOPosix

/// Serves the page and the API to browsers and programs.
package struct HTTPServer: Sendable {
    /// For answers that are under way to be taken.
    private static let stopPatience: Duration = .milliseconds(400)

    private let node: any MeshNode
    let responder: HTTPResponder
    private let http: HTTP1Channel
    private let listener: NIOAsyncChannel<Arrival, Never>
    private let group: MultiThreadedEventLoopGroup
    private let logger: Logger
    /// Where it listens, with the port that the system chose.
    package let address: PeerAddress

    /// Takes an address.
    ///
    /// - Parameter address: port 0 lets the system choose.
    /// - Throws: `AddressFault` if it cannot be listened at.
    package static func listening(
        at address: PeerAddress, node: any MeshNode, settings: HTTPSettings, logger: Logger
    ) async throws -> HTTPServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let responder = HTTPResponder(node: node, host: address.host, settings: settings)
        // What it has to say of strangers is nobody's business.
        let silent = Logger(label: "lattice.http") { _ in SwiftLogNoOpLogHandler() }
        let http = HTTP1Channel(
            responder: { request, writer, channel in try await responder.respond(request, writer, channel) },
            configuration: responder.channelConfiguration)
        do {
            let listener = try await ServerBootstrap.front(on: group)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(.autoRead, value: false)
                .bind(host: address.host, port: Int(address.port)) { channel in
                    channel.eventLoop.makeCompletedFuture { try Arrival.held(channel) }
                }
            let port = listener.channel.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? address.port
            return HTTPServer(
                node: node, responder: responder, http: http, listener: listener, group: group, logger: silent,
                address: PeerAddress(host: address.host, port: port))
        } catch {
            try await group.shutdownGracefully()
            throw AddressFault(.init(error), at: "\(address)")
        }
    }

    /// Serves until its task is cancelled; then streams end, what is being answered is answered, and every connection is closed.
    package func run() async {
        let events = await node.events()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await responder.hub.run(events) }
            group.addTask { await beat() }
            group.addTask { await accept() }
            await group.next()
            group.cancelAll()
            group.addTask { await closeAll() }
        }
        do {
            try await group.shutdownGracefully()
        } catch {
            logger.debug("a connection did not end", metadata: ["error": "\(error)"])
        }
    }

    private func accept() async {
        await withDiscardingTaskGroup { group in
            do {
                try await listener.executeThenClose { clients in
                    for try await client in clients { group.addTask { await serve(client) } }
                }
            } catch {
                logger.debug("nobody is listened for any more", metadata: ["error": "\(error)"])
            }
        }
    }

    private func serve(_ client: Arrival) async {
        do {
            let channel = try await client.take(settingUp: { channel -> EventLoopFuture<HTTP1Channel.Value> in
                guard responder.admit(channel) else { return channel.eventLoop.makeFailedFuture(TooMany()) }
                do {
                    try channel.pipeline.syncOperations.addHandler(ArrivalOfBytesHandler())
                } catch {
                    return channel.eventLoop.makeFailedFuture(error)
                }
                return http.setup(channel: channel, logger: logger)
            })
            await http.handle(value: channel, logger: logger)
        } catch {
            logger.debug("a connection was not taken", metadata: ["error": "\(error)"])
        }
    }

    private struct TooMany: Error {}

    private func beat() async {
        do {
            while true {
                try await Task.sleep(for: responder.settings.limits.heartbeat)
                await responder.hub.beat()
            }
        } catch {
            return  // It ends.
        }
    }

    /// Those who are just being answered get their answer; whoever does not take it, does not.
    private func closeAll() async {
        let channels = responder.table.stop()
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: Self.stopPatience)
        while responder.isAnswering, clock.now < end {
            do {
                // A cancelled task cannot sleep: the loop's own turn is waited for instead.
                try await group.next().scheduleTask(in: .milliseconds(10)) {}.futureResult.get()
            } catch {
                break
            }
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
