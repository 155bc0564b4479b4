import NIOCore

/// One client's end of the channel: tells the hub what it says, and that it is gone. Both live on one event loop.
final class IRCClientHandler: ChannelInboundHandler {
    typealias InboundIn = [UInt8]?

    private let hub: IRCHub
    private let isSecure: Bool
    private var id: ConnectionID?
    private var reason = "Connection closed"

    init(_ hub: IRCHub, isSecure: Bool) {
        self.hub = hub
        self.isSecure = isSecure
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        let isSecure = isSecure
        id = hub.assumeIsolated { $0.connected(channel, isSecure: isSecure) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let id else { return }
        let line = Self.unwrapInboundIn(data)
        hub.assumeIsolated { $0.handle(.line(id, line)) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let id {
            let reason = reason
            hub.assumeIsolated { $0.disconnected(id, reason) }
        }
        context.fireChannelInactive()
    }

    /// Reset by its end, or no TLS where there should be.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        reason = "Connection lost"
        context.close(promise: nil)
    }
}
