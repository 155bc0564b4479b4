import NIOCore

/// Keeps what arrives on a connection that nobody has taken yet. Though nothing is read from it, the system tells of its end, and what
/// was said before the end comes with that: as much as a socket holds.
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

    /// Does this when the other side has said all, on the channel's event loop.
    func onEnd(_ work: @escaping () -> Void) {
        if hasEnded { work() } else { ending = work }
    }

    /// Hands it to whoever reads from now on, on the channel's event loop.
    func letGo() {
        guard let context else { return }
        for bytes in held { context.fireChannelRead(wrapInboundOut(bytes)) }
        held = []
        context.fireChannelReadComplete()
        if hasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
