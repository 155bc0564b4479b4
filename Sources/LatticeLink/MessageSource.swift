import LatticeSession
import NIOCore

/// Whole messages out of a connection's bytes.
struct MessageSource {
    private var chunks: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    /// Short while strangers shake hands, so that one that promises much holds little.
    private var splitter = MessageSplitter(messageBytesMax: Handshake.messageBytesMax)

    mutating func handshakeDone() {
        splitter.messageBytesMax = MessageSplitter.messageBytesMax
    }

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) {
        chunks = inbound.makeAsyncIterator()
    }

    /// - Returns: `nil` when the other side has closed its half.
    mutating func next() async throws -> [UInt8]? {
        while true {
            if let message = try splitter.next() { return Array(message) }
            guard let chunk = try await chunks.next() else { return nil }
            splitter.append(chunk.readableBytesView)
        }
    }
}
