package import NIOCore
import Synchronization

/// A connection that came about. Nothing is read from it before it is taken, and it is closed if nobody takes it: when
/// listening ends, those that still wait for their turn are only let go of.
package final class Arrival: Sendable {
    package typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private let channel: any Channel
    private let isTaken = Atomic(false)
    private let holding: NIOLoopBound<HoldingHandler>?

    /// - Parameter channel: one that reads nothing by itself.
    package init(_ channel: any Channel) {
        self.channel = channel
        holding = nil
    }

    private init(_ channel: any Channel, _ holding: NIOLoopBound<HoldingHandler>) {
        self.channel = channel
        self.holding = holding
    }

    /// One whose other side may say all it has and end at once: that is kept until somebody takes it.
    ///
    /// - Parameter channel: one that allows to be half closed; this is its event loop.
    package static func held(_ channel: any Channel) throws -> Arrival {
        let holding = HoldingHandler()
        try channel.pipeline.syncOperations.addHandler(holding)
        return Arrival(channel, NIOLoopBound(holding, eventLoop: channel.eventLoop))
    }

    deinit {
        if !isTaken.load(ordering: .relaxed) { channel.close(promise: nil) }
    }

    package var remoteAddress: SocketAddress? { channel.remoteAddress }

    /// - Parameter prepare: puts in order what is to read and write it.
    /// - Throws: if it has ended already; it is closed then.
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

    /// As `take`, for what somebody else puts in order.
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

    /// Says one thing, ends its half, and closes it when the other side has ended its own: closed any sooner, what the other side may
    /// be saying just now would cost it that.
    package func turnAway(saying bytes: ByteBuffer) {
        isTaken.store(true, ordering: .relaxed)
        let (channel, holding) = (channel, holding)
        channel.writeAndFlush(bytes).whenComplete { _ in
            channel.close(mode: .output, promise: nil)
            holding?.value.onEnd { channel.close(promise: nil) }
            channel.eventLoop.scheduleTask(in: Self.turnAwayPause) { channel.close(promise: nil) }
        }
    }

    /// For whoever does not end.
    private static let turnAwayPause = TimeAmount.seconds(10)

    /// As lines, without their ends.
    ///
    /// - Parameter bytesMax: a line that is longer ends the connection with `LineTooLong`.
    package func takeLines(bytesMax: Int) async throws -> Bytes {
        try await take { channel in
            // Who has said all waits for the answers.
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
