import NIOCore

/// Stands before what reads HTTP, and tells what stands behind it that bytes have come: half a request is none yet, but has begun.
final class ArrivalOfBytesHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Something was said.
    struct BytesCame {}

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireUserInboundEventTriggered(BytesCame())
        context.fireChannelRead(data)
    }
}
