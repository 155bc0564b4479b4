import HTTPTypes
import LatticeCore
import NIOCore
import NIOHTTPTypes

/// One connection's clock: nobody holds one for nothing. It sees requests and answers go by, and closes when what is to come does not.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// For the other side to read what was said last, before its own end of the connection is closed under it.
    private static let closePause = TimeAmount.seconds(1)

    private let limits: HTTPLimits
    private var reading: Scheduled<Void>?
    private var writing: Scheduled<Void>?
    private var isBodyComing = false
    /// Requests whose answer has not ended.
    private var unanswered = 0
    private var isStream = false
    private var isLast = false

    init(_ limits: HTTPLimits) {
        self.limits = limits
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
            isBodyComing = true
            unanswered += 1
            wait(limits.bodyTimeout, context)
        case .body: break
        case .end:
            isBodyComing = false
            reading?.cancel()
            reading = nil
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            isStream = head.headerFields[.contentType] == "text/event-stream"
            isLast = head.headerFields[.connection] == "close"
            context.write(data, promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            isStream = false
            unanswered -= 1
            if !isBodyComing { wait(limits.headTimeout, context) }
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

    /// Whoever has said all waits for the answer; but a stream has no end to wait for.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            if isStream { context.close(promise: nil) }
            // What was no request has no answer; whoever put the parts together may not have noticed.
            if unanswered == 0 { closeSoon(context) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// What is no HTTP is answered so, and is over: also where whoever said it listens no more.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        closeSoon(context)
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
        context.eventLoop.scheduleTask(in: Self.closePause) { channel.close(promise: nil) }
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
