import DequeModule
import LatticeCore

/// Messages that have come and were not read.
struct MessageInbox: OneReaderQueue {
    /// Messages of one peer: those of a second at the pace of a fast link.
    static let bytesMax = 512 << 10
    /// Messages of all peers together: full shares of 32 peers, as many as have streams at a time. When a peer goes, its unread messages
    /// stay.
    static let bytesMaxInAll = 16 << 20

    private var messages: Deque<Received> = []
    private var bytes: [PeerID: Int] = [:]
    private var bytesInAll = 0
    private var datagrams = DatagramInbox()
    /// Whether the next one read is reliable, if there is one of each kind.
    private var isReliablesTurn = false
    /// Whose message the reader has and may not have handled yet.
    private var handed: PeerID?
    private var isBeingRead = false
    private(set) var isOver = false

    /// - Returns: whether there was room for it, or nobody will read it.
    mutating func put(_ message: Received) -> Bool {
        if isOver { return true }
        let waiting = bytes[message.peer.id] ?? 0
        // An empty message takes room, too.
        let size = max(1, message.bytes.count)
        guard waiting == 0 || waiting + size <= Self.bytesMax, bytesInAll + size <= Self.bytesMaxInAll else {
            return false
        }
        bytes[message.peer.id] = waiting + size
        bytesInAll += size
        messages.append(message)
        return true
    }

    /// - Returns: whether it is the only one, for which a reader may wait.
    mutating func putDatagram(_ message: Received) -> Bool {
        guard !isOver else { return false }
        defer { datagrams.put(message) }
        return datagrams.isEmpty
    }

    mutating func dropDatagram() {
        datagrams.drop()
    }

    var droppedDatagrams: UInt64 { datagrams.dropped }

    mutating func beginReading() {
        precondition(!isBeingRead, "received messages have one reader at a time")
        (isBeingRead, handed) = (true, nil)
    }

    mutating func endReading() {
        isBeingRead = false
    }

    mutating func take() -> Received? {
        let message = isReliablesTurn ? takeReliable() ?? datagrams.take() : datagrams.take() ?? takeReliable()
        // An empty inbox stays as it is.
        if message != nil { isReliablesTurn.toggle() }
        return message
    }

    private mutating func takeReliable() -> Received? {
        guard let message = messages.popFirst() else { return nil }
        let size = max(1, message.bytes.count)
        bytesInAll -= size
        let left = (bytes[message.peer.id] ?? 0) - size
        bytes[message.peer.id] = left > 0 ? left : nil
        handed = message.peer.id
        return message
    }

    /// Whether the reader has handled everything of this peer.
    func hasRead(all peer: PeerID) -> Bool { bytes[peer] == nil && handed != peer }

    mutating func end() {
        isOver = true
    }
}

/// A message of another session.
public struct Received: Hashable, Sendable {
    /// Who sent it, proven over any number of links.
    public let peer: Peer
    /// What it sent: 0–60,000 bytes, or 0–8,192 in an unreliable message.
    public let bytes: [UInt8]
    /// How it was sent.
    public let mode: SendMode
}

/// What others send. It ends with ``Session/run()``.
///
/// One reader at a time; a second one stops the program. 512 KiB of each peer wait unread, and 16 MiB of all; then the
/// ``Session/send(_:to:mode:)`` of that peer, or of all, waits, too. Unreliable messages make nobody wait: 256 of each peer, or
/// 256 KiB, wait unread, and 4 MiB of all. Then the oldest of that peer, or of the one with most, are dropped. The two kinds are
/// read by turns.
public struct ReceivedMessages: AsyncSequence, Sendable {
    /// One message.
    public typealias Element = Received
    /// It does not throw.
    public typealias Failure = Never

    let inbox: Watched<MessageInbox>

    /// Begins with the oldest message that nobody read.
    public func makeAsyncIterator() -> Iterator { Iterator(inbox: inbox) }

    /// Takes one message after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let inbox: Watched<MessageInbox>

        /// - Returns: `nil` after the end of the session, or when the task is cancelled; no message is lost by that.
        nonisolated(nonsending) public mutating func next() async -> Received? { await inbox.next() }

        /// - Returns: `nil` after the end of the session, or when the task is cancelled; no message is lost by that.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Received? {
            await next()
        }
    }
}
