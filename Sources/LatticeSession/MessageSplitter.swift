/// Cuts a stream into messages: a 2-byte big-endian length, then as many bytes.
///
/// It holds one unfinished message and what was appended last: whoever appends takes out all messages first, so no
/// stranger can make it grow. After an error it stays failed.
package struct MessageSplitter: Sendable {
    /// As much as the prefix can say.
    package static let messageBytesMax = 65_535

    /// Longer messages are refused when their prefix is read; shorter during a handshake.
    package var messageBytesMax: Int

    private var buffer: [UInt8] = []
    private var start = 0
    private var failure: SessionError?

    package init(messageBytesMax: Int = Self.messageBytesMax) {
        self.messageBytesMax = messageBytesMax
    }

    /// How many bytes wait for the rest of their message, or to be taken out.
    package var pendingBytes: Int { buffer.count - start }

    package mutating func append(_ bytes: Span<UInt8>) {
        guard failure == nil else { return }
        precondition(pendingBytes < Self.messageBytesMax + 2, "messages are taken out before more is appended")
        // What is left over is less than one message, and is moved once: at the first append after it was cut off.
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        // Safety: the pointer does not leave the closure. A span is no sequence, and of a generic one each byte is taken by itself.
        bytes.withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
    }

    /// As `append` of a span, for whoever has none.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        append(Array(bytes).span)
    }

    /// - Returns: the next message without its prefix; `nil` when more bytes are needed. Let go of it before the next
    ///   `append`, which has to copy the buffer otherwise.
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
