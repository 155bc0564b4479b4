import LatticeSession
import NIOCore

/// Seals what waits in a link's queue and writes it, in as few messages as possible.
actor LinkWriter {
    private var sealer: Sealer
    private let queue: OutboundQueue
    private let rekeyInterval: Duration
    private var rekeyedAt = ContinuousClock.now

    init(sealer: consuming Sealer, queue: OutboundQueue, rekeyInterval: Duration) {
        self.sealer = sealer
        self.queue = queue
        self.rekeyInterval = rekeyInterval
    }

    /// Runs until the queue is finished and empty or the connection takes nothing more, then ends the outgoing half.
    func run(_ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) async {
        do {
            while let frames = await queue.next() {
                var bytes = sealer.seal(frames)
                if rekeyedAt.duration(to: .now) >= rekeyInterval {
                    rekeyedAt = .now
                    bytes += sealer.rekeyed()
                }
                try await outbound.write(ByteBuffer(bytes: bytes))
            }
        } catch {
            // The reading half notices the same end and says why.
        }
        outbound.finish()
        queue.finish()
    }
}
