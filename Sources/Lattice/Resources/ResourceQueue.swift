import DequeModule
import LatticeCore

/// Files that others offer and the program has not taken.
struct ResourceQueue: OneReaderQueue {
    /// A quarter of all streams: the others are for messages, for streams and for files that are being saved.
    static let waitingMax = 8
    static let waitingPerPeerMax = 4

    private var waiting: Deque<IncomingResource> = []
    /// How many offers of each peer are being read.
    private var arriving: [LatticeCore.PeerID: Int] = [:]
    private var isBeingRead = false
    /// Whether the program has ever asked for one.
    private(set) var isWanted = false
    private(set) var isOver = false

    var waitingCount: Int { waiting.count }

    /// Removes what is not offered any more.
    ///
    /// - Returns: what was removed, to be released outside of a lock.
    mutating func removeWithdrawn() -> [IncomingResource] {
        let gone = Array(waiting.filter { !$0.isOffered })
        if !gone.isEmpty { waiting.removeAll { !$0.isOffered } }
        return gone
    }

    /// - Returns: whether there is a place for another one of this peer; then it counts as arriving.
    mutating func arrives(from peer: LatticeCore.PeerID) -> Bool {
        let own = arriving[peer, default: 0] + waiting.count { $0.peer.id.core == peer }
        let all = arriving.values.reduce(waiting.count, +)
        guard !isOver, own < Self.waitingPerPeerMax, all < Self.waitingMax else { return false }
        arriving[peer, default: 0] += 1
        return true
    }

    /// - Parameter resource: `nil` if what came was no offer.
    mutating func came(_ resource: IncomingResource?, from peer: LatticeCore.PeerID) {
        let rest = arriving[peer, default: 1] - 1
        arriving[peer] = rest > 0 ? rest : nil
        if let resource, !isOver { waiting.append(resource) }
    }

    mutating func beginReading() {
        precondition(!isBeingRead, "incoming resources have one reader at a time")
        (isBeingRead, isWanted) = (true, true)
    }

    mutating func endReading() {
        isBeingRead = false
    }

    /// - Returns: the oldest that is still offered.
    mutating func take() -> IncomingResource? {
        guard let index = waiting.firstIndex(where: \.isOffered) else { return nil }
        return waiting.remove(at: index)
    }

    /// - Returns: what waited, to be released outside of a lock.
    mutating func end() -> [IncomingResource] {
        defer { (isOver, waiting) = (true, []) }
        return Array(waiting)
    }
}

/// Files that others offer. It ends with ``Session/run()``.
///
/// A session takes offers from the first call of the iterator's `next()` on; until then senders get
/// ``LatticeError/Code/unwanted``. One reader at a time; a second one stops the program. 8 wait to be taken, at most 4 of one
/// peer; the senders of any more get ``LatticeError/Code/busy``.
public struct IncomingResources: AsyncSequence, Sendable {
    /// A file, of which nothing was fetched.
    public typealias Element = IncomingResource
    /// It does not throw.
    public typealias Failure = Never

    let queue: Watched<ResourceQueue>

    /// Begins with the oldest that is still offered and that nobody took.
    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

    /// Takes one after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let queue: Watched<ResourceQueue>

        /// - Returns: `nil` after the end of the session, or when the task is cancelled; nothing is lost by that.
        nonisolated(nonsending) public mutating func next() async -> IncomingResource? { await queue.next() }

        /// - Returns: `nil` after the end of the session, or when the task is cancelled; nothing is lost by that.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> IncomingResource? {
            await next()
        }
    }
}
