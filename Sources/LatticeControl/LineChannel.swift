import NIOCore
import Synchronization

/// A connection that says lines. Nothing is read from it before it is taken, and it is closed if nobody takes it.
final class LineChannel: Sendable {
    typealias Lines = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private let channel: any Channel
    private let isTaken = Atomic(false)

    init(_ channel: any Channel) {
        self.channel = channel
    }

    deinit {
        if !isTaken.load(ordering: .relaxed) { channel.close(promise: nil) }
    }

    /// - Parameter lineBytesMax: a line that is longer ends the connection.
    /// - Throws: if it has ended already; it is closed then.
    func take(lineBytesMax: Int) async throws -> Lines {
        isTaken.store(true, ordering: .relaxed)
        let channel = channel
        do {
            return try await channel.eventLoop.submit {
                let cutter = ByteToMessageHandler(LineCutter(bytesMax: lineBytesMax))
                try channel.pipeline.syncOperations.addHandler(cutter)
                let lines = try Lines(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(
                        backPressureStrategy: .init(lowWatermark: 1, highWatermark: 8), inboundType: ByteBuffer.self,
                        outboundType: ByteBuffer.self))
                try channel.syncOptions?.setOption(.autoRead, value: true)
                return lines
            }.get()
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }
}
