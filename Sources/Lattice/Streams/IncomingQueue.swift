import DequeModule
import LatticeAPI
import LatticeCore
import LatticeNode

/// Streams that others have opened and the program has not taken.
struct IncomingQueue: OneReaderQueue {
    static let streamsMax = 16

    private var streams: Deque<PeerStream> = []
    private var isBeingRead = false
    private(set) var isOver = false

    var hasRoom: Bool { streams.count < Self.streamsMax }

    mutating func put(_ stream: PeerStream) {
        if !isOver { streams.append(stream) }
    }

    mutating func beginReading() {
        precondition(!isBeingRead, "incoming streams have one reader at a time")
        isBeingRead = true
    }

    mutating func endReading() {
        isBeingRead = false
    }

    mutating func take() -> PeerStream? { streams.popFirst() }

    mutating func end() {
        (isOver, streams) = (true, [])
    }
}

/// Streams that others open. It ends with ``Session/run()``.
///
/// One reader at a time; a second one stops the program. 16 wait to be taken; then others wait until there is room, or their
/// time is over. A stream that nobody takes is reset when the session ends.
public struct IncomingStreams: AsyncSequence, Sendable {
    /// One stream, open in both directions.
    public typealias Element = PeerStream
    /// It does not throw.
    public typealias Failure = Never

    let queue: Watched<IncomingQueue>

    /// Begins with the oldest stream that nobody took.
    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

    /// Takes one stream after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let queue: Watched<IncomingQueue>

        /// - Returns: `nil` after the end of the session, or when the task is cancelled; no stream is lost by that.
        nonisolated(nonsending) public mutating func next() async -> PeerStream? { await queue.next() }

        /// - Returns: `nil` after the end of the session, or when the task is cancelled; no stream is lost by that.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> PeerStream? {
            await next()
        }
    }
}
