import DequeModule

/// What waits at one end of a connection whose capacity is limited, as in `OutboundQueue`: urgent frames overtake the
/// others, but not what the socket already has.
struct SendQueue {
    struct Waiting {
        let entry: Entry
        let bytes: Int
        let isExpendable: Bool
    }

    /// As `LinkTable` and `LinkLimits` have them.
    static let busyBytes = 1 << 20
    static let freeBytes = 512 << 10
    static let bytesMax = 12 << 20
    /// One batch of the writer, and what the kernel holds unsent.
    static let socketBytesMax = 128 << 10

    private var usual: Deque<Waiting> = []
    private var urgent: Deque<Waiting> = []
    private(set) var bytes = 0
    /// When the socket has sent everything it has, in microseconds.
    private var sentAt: Int64 = 0
    /// The mesh was notified that the queue is full.
    var isBusy = false
    /// Something will happen when the socket takes more.
    private(set) var isScheduled = false

    /// - Returns: `false` if it is full.
    mutating func add(_ waiting: Waiting, isUrgent: Bool) -> Bool {
        guard bytes + waiting.bytes <= Self.bytesMax else { return false }
        bytes += waiting.bytes
        if isUrgent { urgent.append(waiting) } else { usual.append(waiting) }
        return true
    }

    /// Gives the socket as much as it takes at this millisecond.
    ///
    /// - Parameter send: gets each frame and the millisecond at which its last byte has left.
    /// - Returns: when the socket takes more; `nil` if nothing waits, or that is known.
    mutating func write(
        at now: Int64, bytesPerSecond: Int64, send: (Waiting, _ leavesAt: Int64) -> Void
    ) -> Int64? {
        isScheduled = false
        sentAt = max(sentAt, now * 1_000)
        let full = Int64(Self.socketBytesMax) * 1_000_000 / bytesPerSecond
        while sentAt - now * 1_000 < full, let next = urgent.popFirst() ?? usual.popFirst() {
            bytes -= next.bytes
            sentAt += Int64(next.bytes) * 1_000_000 / bytesPerSecond
            send(next, (sentAt + 999) / 1_000)
        }
        guard !urgent.isEmpty || !usual.isEmpty else { return nil }
        isScheduled = true
        return max(now + 1, (sentAt - full / 2) / 1_000)
    }
}
