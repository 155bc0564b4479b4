package import LatticeCore
import LatticeSocket
import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves an offer over HTTP, and nothing else.
package struct ShareServer: Sendable {
    private let desk: ShareDesk
    private let listener: any Channel
    private let group: MultiThreadedEventLoopGroup
    /// With the port that the system chose.
    package let address: PeerAddress

    /// Binds an address.
    ///
    /// - Parameter address: port 0 lets the system choose.
    /// - Throws: `AddressFault` if the address cannot be bound.
    package static func listening(
        at address: PeerAddress, offer: Offer, limits: ShareLimits = ShareLimits()
    ) async throws -> ShareServer {
        let desk = ShareDesk(offer, limits)
        // One thread: a file's handle allows one access at a time.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let listener = try await ServerBootstrap.front(on: group)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(RequestBytesHandler(bytesMax: limits.requestBytesMax))
                        try pipeline.configureHTTPServerPipeline(
                            withPipeliningAssistance: false, withErrorHandling: false)
                        try pipeline.addHandler(ShareHandler(desk))
                    }
                }
                .bind(host: address.host, port: Int(address.port)).get()
            return ShareServer(desk, listener, group, address)
        } catch {
            try await group.shutdownGracefully()
            throw AddressFault(.init(error), at: "\(address)")
        }
    }

    private init(
        _ desk: ShareDesk, _ listener: any Channel, _ group: MultiThreadedEventLoopGroup, _ address: PeerAddress
    ) {
        (self.desk, self.listener, self.group) = (desk, listener, group)
        let port = listener.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? address.port
        self.address = PeerAddress(host: address.host, port: port)
    }

    /// What happens, for one reader; ends with `run`. If it is read too slowly, the oldest are dropped.
    package var events: AsyncStream<ShareEvent> { desk.events }

    /// Who took what so far.
    package var counts: Takings { desk.counts }

    var connectionCount: Int { desk.table.count }

    /// Serves until its task is cancelled; then all connections are closed.
    package func run() async {
        await withTaskCancellationHandler {
            do {
                try await listener.closeFuture.get()
            } catch {
                return  // It is closed all the same.
            }
        } onCancel: {
            listener.close(promise: nil)
        }
        for channel in desk.table.stop() { channel.close(promise: nil) }
        do {
            try await group.shutdownGracefully()
        } catch {
            preconditionFailure("a group of threads is shut down once: \(error)")
        }
        desk.finish()
    }
}
