package import NIOCore
import Synchronization

/// A connection that came about. Nothing is read from it before it is taken, and it is closed if nobody takes it: when
/// listening ends, those that still wait for their turn are only let go of.
package final class Arrival: Sendable {
    package typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private let channel: any Channel
    private let isTaken = Atomic(false)

    /// - Parameter channel: one that reads nothing by itself.
    package init(_ channel: any Channel) {
        self.channel = channel
    }

    deinit {
        if !isTaken.load(ordering: .relaxed) { channel.close(promise: nil) }
    }

    package var remoteAddress: SocketAddress? { channel.remoteAddress }

    /// - Parameter prepare: puts in order what is to read and write it.
    /// - Throws: if it has ended already; it is closed then.
    package func take(_ prepare: @escaping @Sendable (any Channel) throws -> Bytes) async throws -> Bytes {
        isTaken.store(true, ordering: .relaxed)
        let channel = channel
        do {
            return try await channel.eventLoop.submit {
                let bytes = try prepare(channel)
                try channel.syncOptions?.setOption(.autoRead, value: true)
                return bytes
            }.get()
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }

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
