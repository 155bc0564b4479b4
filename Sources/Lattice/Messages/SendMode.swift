/// How a message is sent, and how it came.
public enum SendMode: Hashable, Sendable {
    /// In order and each once; the sender waits for room.
    case reliable
    /// At most once, and perhaps not at all: what has waited for more than half a second in the queues on its way, or is too much
    /// for a link, is dropped. The sender waits for nobody. For what the next message makes worthless, such as a position.
    case unreliable
}

/// What became of a message that was sent.
public struct SendReport: Hashable, Sendable {
    /// How many unreliable messages this call dropped here because too many waited: older ones or this one, which may be others'
    /// that this session relays. It is 0 for a reliable message.
    public let dropped: Int
    /// The peers to which no way is known or whose link is closing, in the order in which the caller named them. Empty for a
    /// reliable message, which throws instead.
    public let unreachable: [Peer]
    /// The peers over several links to which no stream of messages is open yet: the message waits for it, at most half a second.
    public let waiting: [Peer]

    /// The report about a reliable message.
    static let sent = SendReport(dropped: 0, unreachable: [], waiting: [])
}

/// How many unreliable messages were sent, came and were dropped since the session began to run. Those for several peers count for
/// each.
public struct DatagramStatistics: Hashable, Sendable {
    /// Own messages that were written to a link.
    public let sent: UInt64
    /// Messages of others for others that were written to a link.
    public let forwarded: UInt64
    /// Messages for this session, before any are dropped because nobody reads them.
    public let received: UInt64
    /// Messages that were dropped because a queue was full, or because their sender or its neighbour was over its rate.
    public let droppedWhenFull: UInt64
    /// Messages for this session that nobody read in time, or whose sender was not connected.
    public let droppedUnread: UInt64
    /// Messages that had waited for more than half a second in the queues on their way.
    public let droppedOld: UInt64
    /// Messages to whose target no way was known here, and those whose link or session ended while they waited.
    public let droppedWithoutWay: UInt64
    /// Messages for this session that had come before, or that no key opened.
    public let droppedInvalid: UInt64
}
