// Safety: bytes to send are lent for the length of the call, with their true size.

/// A node whose streams a connection can carry: bytes without a request for each piece.
package protocol StreamNode: Sendable {
    /// Takes both directions of an open stream away from requests.
    ///
    /// - Parameter onNews: called when the attachment may have more to receive, or space again. It is called on any thread
    ///   and must return at once.
    /// - Throws: if the stream is not open, or another connection is attached to it.
    func attach(
        to stream: Int, onNews: @escaping @Sendable () -> Void
    ) throws(RequestError) -> any StreamAttachment
}

/// The bytes of one stream. Every call returns at once.
package protocol StreamAttachment: Sendable {
    /// Sends all of it.
    ///
    /// - Returns: whether the stream takes more now.
    func send(_ bytes: UnsafeRawBufferPointer) -> StreamSpace

    func finish()

    /// Takes the next bytes, and confirms those taken before.
    func receive(atMost bytesMax: Int) -> StreamArrival

    /// Gives the stream back to requests. It is reset unless both directions have ended.
    func detach()

    /// Gives the stream back to requests, one of which ends this direction.
    func giveBack()
}

package enum StreamSpace: Hashable, Sendable {
    case free
    case full
    /// The stream or this direction has ended.
    case over
}

package enum StreamArrival: Hashable, Sendable {
    case bytes([ArraySlice<UInt8>])
    case nothing
    /// The other side has sent everything. A `ReceiveBytes` confirms that it was processed.
    case end
    /// The stream broke; the next request for it says why.
    case over
}
