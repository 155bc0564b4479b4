import DequeModule

/// Unreliable messages that have come and were not read: each peer's by turns. If a peer sends more than is read, its oldest are
/// dropped.
struct DatagramInbox: Sendable {
    /// Messages of one peer: those of four seconds at 60 Hz.
    static let countMax = 256
    static let bytesMax = 256 << 10

    private struct Unread: Sendable {
        var messages: Deque<Received> = []
        var bytes = 0

        mutating func removeFirst() -> Received {
            let message = messages.removeFirst()
            bytes -= message.bytes.count
            return message
        }
    }

    private var unread: [PeerID: Unread] = [:]
    /// The peers with messages, in the order of their turns.
    private var turns: Deque<PeerID> = []
    private(set) var dropped: UInt64 = 0

    mutating func put(_ message: Received) {
        let peer = message.peer.id
        var mine = unread[peer] ?? Unread()
        if mine.messages.isEmpty { turns.append(peer) }
        mine.messages.append(message)
        mine.bytes += message.bytes.count
        while mine.messages.count > Self.countMax || mine.bytes > Self.bytesMax {
            _ = mine.removeFirst()
            dropped += 1
        }
        unread[peer] = mine
    }

    mutating func take() -> Received? {
        guard let peer = turns.popFirst(), var mine = unread[peer] else { return nil }
        let message = mine.removeFirst()
        unread[peer] = mine.messages.isEmpty ? nil : mine
        if !mine.messages.isEmpty { turns.append(peer) }
        return message
    }

    mutating func drop() {
        dropped += 1
    }
}
