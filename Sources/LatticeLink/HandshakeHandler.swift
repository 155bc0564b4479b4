import LatticeCore
import LatticeSession
import LatticeWire
import Logging
import NIOCore
import NIOPosix

/// Handles a connection until the handshake is done; then a `LinkHandler` replaces it.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: Connection
    private let owner: any LinkOwner
    private let onOpen: () -> Bool
    private var handshake: Handshake?
    /// A low limit during the handshake, so that a stranger who claims a long message does not use much memory.
    private var splitter = MessageSplitter(messageBytesMax: Handshake.messageBytesMax)
    private var alarm: Scheduled<Void>?
    private var isOver = false

    init(_ connection: Connection, owner: any LinkOwner, onOpen: @escaping () -> Bool) {
        self.connection = connection
        self.owner = owner
        self.onOpen = onOpen
    }

    func handlerAdded(context: ChannelHandlerContext) {
        begin(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return context.fireChannelRead(data) }
        do {
            let chunk = unwrapInboundIn(data)
            splitter.append(chunk.readableBytesUInt8Span)
            while !isOver, let message = try splitter.next() { try take(message, context) }
        } catch {
            fail(error, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event, !isOver else {
            return context.fireUserInboundEventTriggered(event)
        }
        fail(HandshakeEnd(), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error, context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(HandshakeEnd(), context)
        context.fireChannelInactive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        let channel = context.channel
        alarm = context.eventLoop.scheduleTask(in: .nanoseconds(connection.limits.handshakeTimeout.nanoseconds)) {
            channel.close(promise: nil)
        }
        var handshake = Handshake(
            role: connection.role, me: connection.session, introduction: owner.introduction())
        if let first = handshake.begin() { write(first, context) }
        self.handshake = consume handshake
    }

    private func take(_ message: ArraySlice<UInt8>, _ context: ChannelHandlerContext) throws(SessionError) {
        guard var handshake = handshake.take() else { preconditionFailure("what is active has begun") }
        let reply: [UInt8]?
        do throws(SessionError) {
            reply = try handshake.receive(message)
        } catch {
            self.handshake = consume handshake
            throw error
        }
        if let reply { write(reply, context) }
        if handshake.isComplete {
            isOver = true
            alarm?.cancel()
            let session = handshake.finish()
            guard onOpen() else { return context.close(promise: nil) }
            open(session, context)
        } else {
            self.handshake = consume handshake
        }
    }

    private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
    }

    private func open(_ session: consuming EstablishedSession, _ context: ChannelHandlerContext) {
        let limits = connection.limits
        let queue = OutboundQueue(
            bytesMax: limits.queueBytesMax, framesMax: limits.queueFramesMax, batchBytesMax: limits.batchBytesMax,
            piecesMax: limits.bulkPiecesMax)
        let link = Link(
            id: connection.id, peer: session.peer, address: connection.address, dial: connection.dial, queue: queue,
            channel: context.channel, limits: limits)
        splitter.messageBytesMax = MessageSplitter.messageBytesMax
        let (owner, splitter, turn, losesDatagram) = (owner, splitter, connection.turn, connection.losesDatagram)
        let handler = session.deconstruct { sealer, opener in
            LinkHandler(
                link: link, owner: owner, queue: queue, turn: turn, limits: limits,
                losesDatagram: losesDatagram, splitter: splitter, sealer: sealer, opener: opener)
        }
        do {
            try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
        } catch {
            context.close(promise: nil)
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        alarm?.cancel()
        connection.logger.debug(
            "connection ended", metadata: ["address": "\(connection.address)", "error": "\(error)"])
        if let dial = connection.dial { owner.dialFailed(dial, connection.end(for: error)) }
        context.close(promise: nil)
    }
}

/// The other side closed before the handshake was done.
struct HandshakeEnd: Error {}
