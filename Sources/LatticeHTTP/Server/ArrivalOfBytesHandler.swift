import NIOCore

/// Sits before the HTTP decoder and reports arriving bytes: half a request is not one yet, but it has begun.
final class ArrivalOfBytesHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    struct BytesCame {}

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireUserInboundEventTriggered(BytesCame())
        context.fireChannelRead(data)
    }
}
