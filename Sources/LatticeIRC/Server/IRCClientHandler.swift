import NIOCore

/// The channel handler of one client: passes its lines and its end to the hub, on the same event loop.
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

    /// The connection was reset, or the client did not speak TLS.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        reason = "Connection lost"
        context.close(promise: nil)
    }
}
