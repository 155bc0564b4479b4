import DequeModule
import LatticeCore

/// Files that others offer and the program has not taken.
struct ResourceQueue: Sendable {
    static let waitingMax = 16
    static let waitingPerPeerMax = 4

    private var waiting: Deque<IncomingResource> = []
    /// Offers that are being read, by their senders.
    private var arriving: [LatticeCore.PeerID: Int] = [:]
    private var isBeingRead = false
    private(set) var isOver = false

    var waitingCount: Int { waiting.count }

    /// - Returns: whether there is a place for another one of this peer; then it counts as arriving.
    mutating func arrives(from peer: LatticeCore.PeerID) -> Bool {
        waiting.removeAll { !$0.isOffered }
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
        isBeingRead = true
    }

    mutating func endReading() {
        isBeingRead = false
    }

    /// - Returns: the oldest that is still offered.
    mutating func take() -> IncomingResource? {
        guard let index = waiting.firstIndex(where: \.isOffered) else { return nil }
        defer { waiting.removeFirst(index + 1) }
        return waiting[index]
    }

    mutating func end() {
        (isOver, waiting) = (true, [])
    }
}

/// Files that others offer. It ends with ``Session/run()``.
///
/// One reader at a time; a second one stops the program. 16 wait to be taken, at most 4 of one peer; the senders of any more
/// get ``LatticeError/Code/busy``.
public struct IncomingResources: AsyncSequence, Sendable {
    /// A file, of which nothing was fetched.
    public typealias Element = IncomingResource
    /// It does not throw.
    public typealias Failure = Never

    let queue: Watched<ResourceQueue>

    /// Begins with the oldest that nobody took and its sender did not withdraw.
    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

    /// Takes one after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let queue: Watched<ResourceQueue>

        /// - Returns: `nil` after the end of the session, or when the task is cancelled; nothing is lost by that.
        nonisolated(nonsending) public mutating func next() async -> IncomingResource? {
            queue.change { $0.beginReading() }
            defer { queue.change { $0.endReading() } }
            let answer = await queue.first { queue -> IncomingResource?? in
                if let resource = queue.take() { return .some(resource) }
                return queue.isOver ? .some(nil) : nil
            }
            return answer ?? nil
        }

        /// - Returns: `nil` after the end of the session, or when the task is cancelled; nothing is lost by that.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> IncomingResource? {
            await next()
        }
    }
}
