package import NIOCore
import Synchronization

/// An accepted connection. Nothing is read from it before somebody takes it, and it is closed if nobody does: when
/// listening ends, waiting connections are only released.
package final class Arrival: Sendable {
    package typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private let channel: any Channel
    private let isTaken = Atomic(false)
    private let holding: NIOLoopBound<HoldingHandler>?

    /// - Parameter channel: must not read by itself.
    package init(_ channel: any Channel) {
        self.channel = channel
        holding = nil
    }

    private init(_ channel: any Channel, _ holding: NIOLoopBound<HoldingHandler>) {
        self.channel = channel
        self.holding = holding
    }

    /// A connection whose other side may send everything and close at once: that is kept until somebody takes it.
    ///
    /// - Parameter channel: must allow half-closure; this must run on its event loop.
    package static func held(_ channel: any Channel) throws -> Arrival {
        let holding = HoldingHandler()
        try channel.pipeline.syncOperations.addHandler(holding)
        return Arrival(channel, NIOLoopBound(holding, eventLoop: channel.eventLoop))
    }

    deinit {
        if !isTaken.load(ordering: .relaxed) { channel.close(promise: nil) }
    }

    package var remoteAddress: SocketAddress? { channel.remoteAddress }

    /// - Parameter prepare: sets up reading and writing.
    /// - Throws: if it has ended already; it is then closed.
    package func take(_ prepare: @escaping @Sendable (any Channel) throws -> Bytes) async throws -> Bytes {
        isTaken.store(true, ordering: .relaxed)
        let (channel, holding) = (channel, holding)
        do {
            return try await channel.eventLoop.submit {
                let bytes = try prepare(channel)
                holding?.value.letGo()
                try channel.syncOptions?.setOption(.autoRead, value: true)
                return bytes
            }.get()
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }

    /// Like `take`, with an asynchronous setup of another type.
    package func take<Value: Sendable>(
        settingUp setUp: @escaping @Sendable (any Channel) -> EventLoopFuture<Value>
    ) async throws -> Value {
        isTaken.store(true, ordering: .relaxed)
        let (channel, holding) = (channel, holding)
        do {
            return try await channel.eventLoop.flatSubmit {
                setUp(channel).flatMapThrowing { value in
                    holding?.value.letGo()
                    try channel.syncOptions?.setOption(.autoRead, value: true)
                    return value
                }
            }.get()
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }

    /// Sends one message, closes its half, and closes the rest when the other side has closed its own. An earlier close
    /// would make the other side lose the message if it is still sending.
    package func turnAway(saying bytes: ByteBuffer) {
        isTaken.store(true, ordering: .relaxed)
        let (channel, holding) = (channel, holding)
        channel.writeAndFlush(bytes).whenComplete { _ in
            channel.close(mode: .output, promise: nil)
            holding?.value.onEnd { channel.close(promise: nil) }
            channel.eventLoop.scheduleTask(in: Self.turnAwayPause) { channel.close(promise: nil) }
        }
    }

    /// For a client that does not close.
    private static let turnAwayPause = TimeAmount.seconds(10)

    /// Takes it as lines, without line ends.
    ///
    /// - Parameter bytesMax: a longer line ends the connection with `LineTooLong`.
    package func takeLines(bytesMax: Int) async throws -> Bytes {
        try await take { channel in
            // A client may send everything, close its half, and wait for the answers.
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
            try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineCutter(bytesMax: bytesMax)))
            return try Bytes(
                wrappingChannelSynchronously: channel,
                configuration: .init(
                    backPressureStrategy: .init(lowWatermark: 1, highWatermark: 8), inboundType: ByteBuffer.self,
                    outboundType: ByteBuffer.self))
        }
    }
}
