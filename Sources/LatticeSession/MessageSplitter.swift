/// Splits a byte stream into messages: a 2-byte big-endian length, then that many bytes.
///
/// It holds one incomplete message and the last append: all messages must be taken before the next append, so a
/// stranger cannot make it grow. It fails permanently after an error.
package struct MessageSplitter: Sendable {
    /// The limit of the prefix.
    package static let messageBytesMax = 65_535

    /// Longer messages are refused as soon as their prefix is read; lower during a handshake.
    package var messageBytesMax: Int

    private var buffer: [UInt8] = []
    private var start = 0
    private var failure: SessionError?

    package init(messageBytesMax: Int = Self.messageBytesMax) {
        self.messageBytesMax = messageBytesMax
    }

    /// Bytes that wait for the rest of their message, or to be taken.
    package var pendingBytes: Int { buffer.count - start }

    package mutating func append(_ bytes: Span<UInt8>) {
        guard failure == nil else { return }
        precondition(pendingBytes < Self.messageBytesMax + 2, "messages are taken out before more is appended")
        // The rest is less than one message, and is moved only once, at the next append.
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        // Safety: the pointer does not leave the closure. A span is not a sequence, and a generic collection would be
        // copied byte by byte.
        bytes.withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
    }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        append(Array(bytes).span)
    }

    /// - Returns: the next message without its prefix; `nil` if more bytes are needed. Release it before the next
    ///   `append`, which would otherwise copy the buffer.
    package mutating func next() throws(SessionError) -> ArraySlice<UInt8>? {
        if let failure { throw failure }
        guard pendingBytes >= 2 else { return nil }
        let count = Int(buffer[start]) << 8 | Int(buffer[start + 1])
        guard count > 0 else { throw fail(.emptyMessage) }
        guard count <= messageBytesMax else { throw fail(.tooLong(bytes: count, bytesMax: messageBytesMax)) }
        guard pendingBytes >= 2 + count else { return nil }
        defer { start += 2 + count }
        return buffer[start + 2..<start + 2 + count]
    }

    private mutating func fail(_ error: SessionError) -> SessionError {
        failure = error
        buffer = []
        start = 0
        return error
    }
}
