import DequeModule

/// Unreliable messages that have come and were not read: each peer's by turns. If a peer sends more than is read, its oldest are
/// dropped; if all together do, the oldest of the peer with most.
struct DatagramInbox: Sendable {
    /// Messages of one peer: those of four seconds at 60 Hz.
    static let countMax = 256
    static let bytesMax = 256 << 10
    /// Messages of all peers together: full shares of 16 peers. One program may come with many identities.
    static let bytesMaxInAll = 4 << 20
    /// What a message takes beside its bytes.
    static let overheadBytes = 128

    private struct Unread: Sendable {
        var messages: Deque<Received> = []
        var bytes = 0

        mutating func removeFirst() -> Received {
            let message = messages.removeFirst()
            bytes -= DatagramInbox.cost(message)
            return message
        }
    }

    private var unread: [PeerID: Unread] = [:]
    /// The peers with messages, in the order of their turns.
    private var turns: Deque<PeerID> = []
    private(set) var dropped: UInt64 = 0
    private(set) var bytesInAll = 0

    var isEmpty: Bool { turns.isEmpty }

    private static func cost(_ message: Received) -> Int { message.bytes.count + overheadBytes }

    mutating func put(_ message: Received) {
        let peer = message.peer.id
        var mine = unread[peer] ?? Unread()
        if mine.messages.isEmpty { turns.append(peer) }
        mine.messages.append(message)
        mine.bytes += Self.cost(message)
        bytesInAll += Self.cost(message)
        unread[peer] = mine
        while let mine = unread[peer], mine.messages.count > Self.countMax || mine.bytes > Self.bytesMax {
            dropOldest(of: peer)
        }
        while bytesInAll > Self.bytesMaxInAll { dropOldest(of: loudest()) }
    }

    mutating func take() -> Received? {
        guard let peer = turns.popFirst() else { return nil }
        let message = removeFirst(of: peer)
        if unread[peer] != nil { turns.append(peer) }
        return message
    }

    private mutating func dropOldest(of peer: PeerID) {
        _ = removeFirst(of: peer)
        if unread[peer] == nil { turns.removeAll { $0 == peer } }
        dropped += 1
    }

    private mutating func removeFirst(of peer: PeerID) -> Received {
        guard var mine = unread.removeValue(forKey: peer) else {
            preconditionFailure("a peer with a turn has a message")
        }
        let message = mine.removeFirst()
        bytesInAll -= Self.cost(message)
        if !mine.messages.isEmpty { unread[peer] = mine }
        return message
    }

    /// The peer with most bytes.
    private func loudest() -> PeerID {
        let most = turns.max { (unread[$0]?.bytes ?? 0) < (unread[$1]?.bytes ?? 0) }
        guard let most else { preconditionFailure("a full inbox has a message") }
        return most
    }

    mutating func drop() {
        dropped += 1
    }
}
