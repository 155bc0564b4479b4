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
    /// Unread bytes of each peer. For the peer of `current` the number there counts.
    private var bytes: [PeerID: Int] = [:]
    /// The peer read last, and how much of it waits: mostly many messages of one peer follow each other.
    private var current: (peer: PeerID, bytes: Int)?
    private var bytesInAll = 0
    /// Peers whose messages had no room. Their senders wake when half the room is free: waking them for each message would take
    /// longer than the message.
    private var refused: Set<PeerID> = []
    private var datagrams = DatagramInbox()
    /// Whether the next one read is reliable, if there is one of each kind.
    private var isReliablesTurn = false
    /// Whose message the reader has and may not have handled yet.
    private var handed: PeerID?
    private var hasNews = false
    private var isBeingRead = false
    private(set) var isOver = false

    /// An empty message takes room, too.
    private static func size(_ message: Received) -> Int { max(1, message.bytes.count) }

    /// - Parameter new: messages of one peer.
    /// - Returns: for how many of them there was room, from the first one on, or nobody will read them.
    mutating func put(_ new: ArraySlice<Received>) -> Int {
        guard !isOver, let peer = new.first?.peer.id else { return new.count }
        settle()
        var waiting = bytes[peer] ?? 0
        let isHalfFree = waiting <= Self.bytesMax / 2 && bytesInAll <= Self.bytesMaxInAll / 2
        guard isHalfFree || !refused.contains(peer) else { return 0 }
        var count = 0
        for message in new {
            let size = Self.size(message)
            guard waiting == 0 || waiting + size <= Self.bytesMax, bytesInAll + size <= Self.bytesMaxInAll else {
                break
            }
            messages.append(message)
            waiting += size
            bytesInAll += size
            count += 1
        }
        if count > 0 { bytes[peer] = waiting }
        if count < new.count {
            refused.insert(peer)
        } else if !refused.isEmpty {
            refused.remove(peer)
        }
        return count
    }

    private mutating func settle() {
        guard let current else { return }
        bytes[current.peer] = current.bytes > 0 ? current.bytes : nil
        self.current = nil
    }

    private func waiting(of peer: PeerID) -> Int {
        if let current, current.peer == peer { current.bytes } else { bytes[peer] ?? 0 }
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
        // With the last one of a peer, all of it is handled.
        if let handed, waiting(of: handed) == 0 { hasNews = true }
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
        let (peer, size) = (message.peer.id, Self.size(message))
        if current?.peer != peer {
            settle()
            current = (peer, bytes[peer] ?? 0)
        }
        let (before, beforeInAll) = (current?.bytes ?? 0, bytesInAll)
        current = (peer, before - size)
        bytesInAll -= size
        let isHalfFree = before > Self.bytesMax / 2 && before - size <= Self.bytesMax / 2
        let isHalfFreeInAll = beforeInAll > Self.bytesMaxInAll / 2 && bytesInAll <= Self.bytesMaxInAll / 2
        if isHalfFree || isHalfFreeInAll { hasNews = true }
        handed = peer
        return message
    }

    mutating func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews
    }

    /// Whether the reader has handled everything of this peer.
    func hasRead(all peer: PeerID) -> Bool { handed != peer && waiting(of: peer) == 0 }

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
    /// Links on the way to its sender when it came: 1 for a neighbour, 2 for a peer behind one. The way of the message itself may
    /// have been another, where the mesh has just changed.
    public let hops: Int
}

/// What others send. It ends with ``Session/run()``.
///
/// One reader at a time; a second one stops the program. 512 KiB of each peer wait unread, and 16 MiB of all; then the
/// ``Session/send(_:to:mode:)`` of that peer, or of all, waits, too, until half of that is read. Unreliable messages make nobody wait: 256 of each peer, or
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
