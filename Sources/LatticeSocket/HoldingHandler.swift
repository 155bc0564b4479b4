import NIOCore

/// Keeps what arrives on a connection that nobody has taken yet. Although nothing is read from it, the system reports
/// its end, and delivers with that what was sent before: as much as a socket buffers.
final class HoldingHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var context: ChannelHandlerContext?
    private var held: [ByteBuffer] = []
    private var hasEnded = false
    private var ending: (() -> Void)?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        ending = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        held.append(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        hasEnded = true
        ending?()
    }

    /// Called when the other side has sent everything, on the channel's event loop.
    func onEnd(_ work: @escaping () -> Void) {
        if hasEnded { work() } else { ending = work }
    }

    /// Passes the data on to the following handlers, on the channel's event loop.
    func letGo() {
        guard let context else { return }
        for bytes in held { context.fireChannelRead(wrapInboundOut(bytes)) }
        held = []
        context.fireChannelReadComplete()
        if hasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
