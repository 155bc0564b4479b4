import LatticeAPI
import LatticeCore
import LatticeNode
import Synchronization

/// Bytes between two programs, both ways at once, sealed from end to end.
///
/// Each way has an end of its own, so that a reader that sees it has had everything. A stream survives a change of the way
/// and lost links, but not the end of one of the sessions. It is reset when its last reference goes before both ways have
/// ended.
public final class PeerStream: Sendable {
    private struct Ends: Sendable {
        var isFinished = false
        var isRead = false
        var isBeingRead = false
    }

    /// The peer at the other end, proven.
    public let peer: Peer
    /// What the stream is for, as the opener named it: 1–63 bytes.
    public let name: String
    private let number: Int
    private let node: Node
    private let ends = Mutex(Ends())

    init(_ info: StreamInfo, _ peer: Peer, _ node: Node) {
        (self.peer, name, number, self.node) = (peer, info.label.text, info.stream, node)
    }

    deinit {
        if !ends.withLock({ $0.isFinished && $0.isRead }) { reset() }
    }

    /// What the other side writes. One reader at a time.
    public var inbound: Inbound { Inbound(stream: self) }

    /// Writes bytes, and suspends while 256 KiB wait here, which they do while 1 MiB waits unread at the other side.
    ///
    /// - Parameter bytes: any number of bytes; they go in parts of 256 KiB.
    /// - Throws: ``LatticeError/Code/reset`` if the other side or this one gave the stream up, or this way has ended;
    ///   ``LatticeError/Code/interrupted`` if nothing was heard for half a minute; ``LatticeError/Code/closed`` if the
    ///   session ends; ``LatticeError/Code/cancelled``: only the parts that had room before went.
    nonisolated(nonsending) public func write(_ bytes: some Sequence<UInt8>) async throws(LatticeError) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(SendBytes.bytesMax))
            try await attempt { () throws(RequestError) in try await node.streams.send(part, on: number) }
            rest = rest.dropFirst(part.count)
        }
    }

    /// Ends this way. Reading goes on.
    ///
    /// Returns when the program at the other side has read everything, which is when it asks for more after the last bytes.
    ///
    /// - Throws: as ``write(_:)``. After ``LatticeError/Code/cancelled`` this way has ended all the same.
    nonisolated(nonsending) public func finish() async throws(LatticeError) {
        try await attempt { () throws(RequestError) in try await node.streams.finish(number) }
        ends.withLock { $0.isFinished = true }
    }

    /// Gives up both ways at once; the other side gets ``LatticeError/Code/reset``.
    public func reset() {
        node.streams.reset(number)
    }

    private nonisolated(nonsending) func attempt<Value>(
        _ work: nonisolated(nonsending) () async throws(RequestError) -> Value
    ) async throws(LatticeError) -> Value {
        do throws(RequestError) {
            return try await work()
        } catch {
            throw LatticeError(error).about(peer.id)
        }
    }

    // MARK: - Reading

    /// The bytes that the other side writes, in pieces of any size. It ends when the other side has called
    /// ``PeerStream/finish()`` and everything was read.
    public struct Inbound: AsyncSequence, Sendable {
        /// One or more bytes.
        public typealias Element = ArraySlice<UInt8>
        /// ``LatticeError/Code/reset``, ``LatticeError/Code/interrupted``, ``LatticeError/Code/closed``,
        /// ``LatticeError/Code/cancelled``.
        public typealias Failure = LatticeError

        fileprivate let stream: PeerStream

        /// Begins with the first bytes that were not read.
        public func makeAsyncIterator() -> Iterator { Iterator(stream: stream) }

        /// Reads piece by piece. A second reader at the same time stops the program.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let stream: PeerStream

            /// Asking for the next bytes says that those before were handled.
            ///
            /// - Returns: `nil` at the end.
            nonisolated(nonsending) public mutating func next() async throws(LatticeError) -> ArraySlice<UInt8>? {
                try await stream.read()
            }

            /// Asking for the next bytes says that those before were handled.
            ///
            /// - Returns: `nil` at the end.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(LatticeError) -> ArraySlice<UInt8>? {
                try await next()
            }
        }
    }

    private nonisolated(nonsending) func read() async throws(LatticeError) -> ArraySlice<UInt8>? {
        let isRead = ends.withLock { ends in
            precondition(!ends.isBeingRead, "a stream has one reader at a time")
            ends.isBeingRead = !ends.isRead
            return ends.isRead
        }
        if isRead { return nil }
        defer { ends.withLock { $0.isBeingRead = false } }
        let part = try await attempt { () throws(RequestError) in try await node.streams.receive(number) }
        guard part.isEnd else { return part.bytes[...] }
        ends.withLock { $0.isRead = true }
        return nil
    }
}
