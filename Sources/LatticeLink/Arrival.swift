import NIOCore
import Synchronization

/// A connection that came in. Nothing is read from it before it is taken, and it is closed if nobody takes it: when
/// listening ends, those that still wait for their turn are only let go of.
final class Arrival: Sendable {
    private let channel: any Channel
    private let isTaken = Atomic(false)

    init(_ channel: any Channel) {
        self.channel = channel
    }

    deinit {
        if !isTaken.load(ordering: .relaxed) { channel.close(promise: nil) }
    }

    var remoteAddress: SocketAddress? { channel.remoteAddress }

    /// - Throws: if it has ended already; it is closed then.
    func take() async throws -> Connection.Bytes {
        isTaken.store(true, ordering: .relaxed)
        let channel = channel
        do {
            return try await channel.eventLoop.submit {
                try channel.syncOptions?.setOption(.autoRead, value: true)
                return try Connection.prepare(channel)
            }.get()
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }
}
