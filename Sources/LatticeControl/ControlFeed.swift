import DequeModule
import LatticeAPI
import NIOCore

/// The events for one subscriber, written on its connection's event loop as fast as it reads. Events beyond the limit are
/// dropped and counted, and the count is sent as soon as the queue is empty.
final class ControlFeed: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Several lines in one buffer, shared by equal subscriptions.
    struct Lines: Sendable {
        let bytes: ByteBuffer
        let count: Int
    }

    private var context: ChannelHandlerContext?
    private var waiting: Deque<Lines> = []
    private var waitingCount = 0
    private var missed = 0
    private var hasBegun = false

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        (waiting, waitingCount) = ([], 0)
        self.context = nil
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        drain()
        context.fireChannelWritabilityChanged()
    }

    /// Sends the current state, then events.
    func begin(_ first: [Lines]) {
        hasBegun = true
        waiting.prepend(contentsOf: first)
        waitingCount += first.reduce(0) { $0 + $1.count }
        drain()
    }

    func tell(_ lines: Lines) {
        guard context != nil else { return }
        guard missed == 0, waitingCount + lines.count <= ControlLimit.eventsWaitingMax else {
            missed += lines.count
            return drain()
        }
        waiting.append(lines)
        waitingCount += lines.count
        drain()
    }

    func miss(_ count: Int) {
        missed += count
        drain()
    }

    private func drain() {
        guard hasBegun, let context, context.channel.isWritable, waitingCount > 0 || missed > 0 else { return }
        while context.channel.isWritable, let next = waiting.popFirst() {
            waitingCount -= next.count
            context.write(wrapOutboundOut(next.bytes), promise: nil)
        }
        if waiting.isEmpty, missed > 0 {
            let told = ControlLine.lines(of: .missed(missed))
            missed = 0
            context.write(wrapOutboundOut(told.bytes), promise: nil)
        }
        context.flush()
    }
}

extension ControlLine {
    static func lines(of event: NodeEvent) -> ControlFeed.Lines {
        ControlFeed.Lines(bytes: ByteBuffer(bytes: bytes(of: ControlReply.event(event))), count: 1)
    }
}
