import LatticeCore
import LatticeSocket
import Logging
import NIOCore
import NIOPosix

/// Accepts connections and passes their requests to a responder. Shared by the page and the metrics.
struct HTTPListener: Sendable {
    /// A handshake takes as much work as some requests.
    private static let handshakeCost: Int64 = 10
    /// Time for responses in progress to be read.
    private static let stopPatience: Duration = .milliseconds(400)

    private let respond: HTTPConversation.Responder
    private let limits: HTTPLimits
    private let table: ConnectionTable
    private let security: TLSIdentity?
    private let listener: NIOAsyncChannel<Arrival, Never>
    private let group: MultiThreadedEventLoopGroup
    // Its messages are about strangers, so they are not logged.
    private let logger = Logger(label: "lattice.http") { _ in SwiftLogNoOpLogHandler() }
    /// With the port that the system chose.
    let address: PeerAddress

    /// Binds an address.
    ///
    /// - Parameters:
    ///   - address: port 0 lets the system choose.
    ///   - table: holds the accepted connections.
    ///   - security: encrypts them; `nil` if they are plain HTTP.
    /// - Throws: `AddressFault` if the address cannot be bound.
    init(
        at address: PeerAddress, limits: HTTPLimits, table: ConnectionTable, security: TLSIdentity? = nil,
        respond: @escaping HTTPConversation.Responder
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            listener = try await ServerBootstrap.front(on: group)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(.autoRead, value: false)
                .bind(host: address.host, port: Int(address.port)) { channel in
                    channel.eventLoop.makeCompletedFuture { try Arrival.held(channel) }
                }
        } catch {
            try await group.shutdownGracefully()
            throw AddressFault(.init(error), at: "\(address)")
        }
        let port = listener.channel.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? address.port
        self.address = PeerAddress(host: address.host, port: port)
        self.group = group
        self.table = table
        self.limits = limits
        self.security = security
        self.respond = respond
    }

    /// Accepts connections until its task is cancelled.
    func accept() async {
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
            let connection = try await client.take(settingUp: {
                channel -> EventLoopFuture<HTTPConversation.Connection> in
                guard table.admit(channel, cost: security == nil ? 0 : Self.handshakeCost) else {
                    return channel.eventLoop.makeFailedFuture(TooMany())
                }
                // Counted until it closes.
                channel.closeFuture.whenComplete { [table] _ in table.leave(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let security {
                        try pipeline.addHandler(PlainTextHandler(closePause: limits.closePause))
                        try pipeline.addHandler(security.handler())
                    }
                    try pipeline.addHandler(ArrivalOfBytesHandler())
                    return try HTTPConversation.prepare(channel, limits, watcher: ConnectionHandler(limits, table))
                }
            })
            try await HTTPConversation.hold(connection, limits, respond: respond)
        } catch {
            logger.debug("a connection failed", metadata: ["error": "\(error)"])
        }
    }

    private struct TooMany: Error {}

    /// Waits a moment for responses in progress, then closes all connections.
    func closeAll(while isAnswering: @Sendable () -> Bool) async {
        let channels = table.stop()
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: Self.stopPatience)
        while isAnswering(), clock.now < end {
            do {
                // A cancelled task cannot sleep, so it waits for a timer of the event loop.
                try await group.next().scheduleTask(in: .milliseconds(10)) {}.futureResult.get()
            } catch {
                break
            }
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Called when all connections have ended.
    func shutDown() async {
        do {
            try await group.shutdownGracefully()
        } catch {
            logger.debug("a connection did not end", metadata: ["error": "\(error)"])
        }
    }
}
