// Safety: received bytes are lent to the stream for the length of the call, with their true size.

import LatticeAPI
import NIOCore
import Synchronization

/// Carries the bytes of a stream over a connection to the control socket. It is the first handler: what stands behind it
/// sees no more bytes.
final class AttachmentHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// About as much as a Unix socket holds.
    private static let chunkBytes = 256 << 10

    /// Schedules one look at the stream for any number of calls.
    private final class Bell: Sendable {
        private let isRung = Atomic(false)
        private let handler: NIOLoopBound<AttachmentHandler>
        private let eventLoop: any EventLoop

        init(_ handler: AttachmentHandler, _ eventLoop: any EventLoop) {
            self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
            self.eventLoop = eventLoop
        }

        func ring() {
            guard !isRung.exchange(true, ordering: .sequentiallyConsistent) else { return }
            eventLoop.execute {
                self.isRung.store(false, ordering: .sequentiallyConsistent)
                self.handler.value.look()
            }
        }
    }

    private var stream: (any StreamAttachment)?
    private var context: ChannelHandlerContext?
    private var isFull = false
    /// The system has reported the end of the input.
    private var isInputClosed = false
    private var hasInputEnded = false
    private var hasOutputEnded = false
    private var hasOutputClosed = false
    /// The connection was closed here, or an error ended it.
    private var isBroken = false
    /// A read was asked for while the stream was full.
    private var isReadDue = false

    /// Adds the handler to a connection that carried lines until now.
    ///
    /// - Parameter answer: written before the first bytes.
    /// - Throws: `RequestError` if the stream cannot be attached to; the connection then stays as it is.
    static func attach(
        to stream: Int, of node: any StreamNode, on channel: any Channel, answer: ByteBuffer?
    ) async throws {
        try await channel.eventLoop.submit {
            let handler = AttachmentHandler()
            let bell = Bell(handler, channel.eventLoop)
            let attached = try node.attach(to: stream) { bell.ring() }
            do {
                try channel.pipeline.syncOperations.addHandler(handler, position: .first)
                try channel.syncOptions?.setOption(
                    .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.chunkBytes))
                // More reads at a time would go beyond the stream's limit.
                try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
                try channel.syncOptions?.setOption(
                    .writeBufferWaterMark,
                    value: ChannelOptions.Types.WriteBufferWaterMark(low: Self.chunkBytes / 2, high: Self.chunkBytes))
            } catch {
                attached.detach()
                throw error
            }
            handler.begin(attached, answer)
        }.get()
    }

    private func begin(_ stream: any StreamAttachment, _ answer: ByteBuffer?) {
        self.stream = stream
        if let answer { context?.writeAndFlush(wrapOutboundOut(answer), promise: nil) }
        look()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        // Once the output is shut down, a program that has finished and one that was killed look the same: NIO closes the
        // connection and reports no `inputClosed`. A request on the first connection says that it has finished.
        if hasOutputClosed, !hasInputEnded, !isBroken { stream?.giveBack() } else { stream?.detach() }
        stream = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isBroken = true
        context.fireErrorCaught(error)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .all { isBroken = true }
        context.close(mode: mode, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let stream, !hasInputEnded else { return }
        accept(unwrapInboundIn(data).withUnsafeReadableBytes { stream.send($0) })
    }

    private func accept(_ space: StreamSpace) {
        isFull = space == .full
        // The reason why a stream broke comes after everything that was received before.
        if space == .over { hasInputEnded = true }
    }

    func read(context: ChannelHandlerContext) {
        guard !isFull, !hasInputEnded else {
            isReadDue = true
            return
        }
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        isInputClosed = true
        // A program that is killed closes both directions at once, which is no end of the bytes: then the connection is
        // inactive when the loop's current task is over.
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { bound.value.inputEnded() }
    }

    private func inputEnded() {
        guard let stream, !hasInputEnded else { return }
        hasInputEnded = true
        stream.finish()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        look()
        context.fireChannelWritabilityChanged()
    }

    private func look() {
        guard let stream, let context else { return }
        if isFull { accept(stream.send(UnsafeRawBufferPointer(start: nil, count: 0))) }
        write(stream, context)
        if isReadDue, !isFull, !hasInputEnded {
            isReadDue = false
            context.read()
        }
    }

    private func write(_ stream: any StreamAttachment, _ context: ChannelHandlerContext) {
        while !hasOutputEnded, context.channel.isWritable {
            switch stream.receive(atMost: Self.chunkBytes) {
            case .bytes(let parts):
                var bytes = context.channel.allocator.buffer(capacity: parts.reduce(0) { $0 + $1.count })
                for part in parts { bytes.writeBytes(part) }
                context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            case .nothing: return
            case .end:
                hasOutputEnded = true
                let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
                let written = context.eventLoop.makePromise(of: Void.self)
                written.futureResult.whenSuccess { bound.value.outputWritten() }
                context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
            case .over:
                hasOutputEnded = true
                // A program that sees the connection end asks at once why.
                self.stream = nil
                stream.detach()
                context.close(promise: nil)
            }
        }
    }

    private func outputWritten() {
        if isInputClosed { inputEnded() }
        hasOutputClosed = true
        context?.close(mode: hasInputEnded ? .all : .output, promise: nil)
    }
}
