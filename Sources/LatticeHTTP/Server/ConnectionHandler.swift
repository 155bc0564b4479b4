import LatticeCore
import LatticeSocket
import NIOCore
import NIOHTTP1

/// The timeouts of one connection. Watches requests and responses, and closes the connection if the next part does not
/// come.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limits: HTTPLimits
    private let table: ConnectionTable
    private var reading: Scheduled<Void>?
    private var writing: Scheduled<Void>?
    /// Whether the next request has begun and its headers are incomplete.
    private var isHeadComing = false
    private var isBodyComing = false
    /// Bytes of the body since its timeout was last renewed.
    private var bodyBytes = 0
    /// The timeout of a body is renewed after this many bytes, because a file takes long.
    private static let renewalBytes = 64 << 10
    /// Requests without a complete response.
    private var unanswered = 0
    private var isStream = false
    private var isLast = false

    init(_ limits: HTTPLimits, _ table: ConnectionTable) {
        self.limits = limits
        self.table = table
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        wait(limits.headTimeout, context)
    }

    func channelActive(context: ChannelHandlerContext) {
        wait(limits.headTimeout, context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            (isHeadComing, isBodyComing, bodyBytes) = (false, true, 0)
            unanswered += 1
            wait(limits.bodyTimeout, context)
            table.note(context.channel, isWaiting: true)
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
            // A refused request gets no more time for the rest of its body.
            if bodyBytes >= Self.renewalBytes, unanswered > 0 {
                bodyBytes = 0
                wait(limits.bodyTimeout, context)
                table.note(context.channel, isWaiting: true)
            }
        case .end:
            isBodyComing = false
            if unanswered > 0 {
                reading?.cancel()
                reading = nil
                table.note(context.channel, isWaiting: false)
            } else {
                // The request was rejected before it was complete.
                wait(limits.idleTimeout, context)
            }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where (100..<200).contains(head.status.code): context.write(data, promise: promise)
        case .head(let head):
            isStream = head.headers.first(name: "content-type") == "text/event-stream"
            isLast = head.headers.first(name: "connection") == "close"
            context.write(data, promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            isStream = false
            if unanswered > 0 { unanswered -= 1 }
            if unanswered == 0, !isBodyComing {
                wait(isHeadComing ? limits.headTimeout : limits.idleTimeout, context)
                table.note(context.channel, isWaiting: true)
            }
            context.write(data, promise: promise)
            if isLast { end(context) }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writing?.cancel()
        writing = nil
        if !context.channel.isWritable { writing = closing(limits.writeTimeout, context) }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ArrivalOfBytesHandler.BytesCame:
            if !isHeadComing, !isBodyComing {
                isHeadComing = true
                if unanswered == 0 { wait(limits.headTimeout, context) }
            }
            return
        // A client that has finished sending may wait for its response; but a stream never ends.
        case ChannelEvent.inputClosed:
            if isStream { context.close(promise: nil) }
            // Incomplete input gets no response, and the decoder may not have noticed it.
            if unanswered == 0 { closeSoon(context) }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Input that is not HTTP gets an error response and ends the connection, even if the client no longer reads. On a
    /// busy machine the response can take a while.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        wait(limits.bodyTimeout, context)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        reading?.cancel()
        writing?.cancel()
        (reading, writing) = (nil, nil)
        context.fireChannelInactive()
    }

    private func end(_ context: ChannelHandlerContext) {
        context.flush()
        context.close(mode: .output, promise: nil)
        closeSoon(context)
    }

    private func closeSoon(_ context: ChannelHandlerContext) {
        let channel = context.channel
        context.eventLoop.scheduleTask(in: .nanoseconds(limits.closePause.nanoseconds)) { channel.close(promise: nil) }
    }

    private func wait(_ duration: Duration, _ context: ChannelHandlerContext) {
        reading?.cancel()
        reading = closing(duration, context)
    }

    private func closing(_ duration: Duration, _ context: ChannelHandlerContext) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: .nanoseconds(duration.nanoseconds)) { channel.close(promise: nil) }
    }
}
