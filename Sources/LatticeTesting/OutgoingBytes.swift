import DequeModule
import NIOCore

/// What one end of a connection has written: when it leaves, and when it arrives. Decides, and does nothing.
struct OutgoingBytes {
    struct Write {
        let bytes: ByteBuffer
        let written: EventLoopPromise<Void>?
    }

    enum Next {
        case leaves(Write, arriving: NIODeadline)
        /// The line carries earlier bytes until then.
        case waits(NIODeadline)
        /// Nothing was flushed, or the other end reads too slowly.
        case nothing
    }

    /// Bytes that have left and were not read: what two kernels hold of a TCP connection.
    static let unreadBytesMax = 256 << 10

    let bytesPerSecond: Int?
    /// Bytes that have not left.
    private(set) var waitingBytes = 0
    private var writes: Deque<Write> = []
    private var flushedCount = 0
    private var unreadBytes = 0
    private var freeAt = NIODeadline.uptimeNanoseconds(0)
    private var lastArrival = NIODeadline.uptimeNanoseconds(0)

    init(bytesPerSecond: Int?) {
        self.bytesPerSecond = bytesPerSecond
    }

    mutating func add(_ write: Write) {
        writes.append(write)
        waitingBytes += write.bytes.readableBytes
    }

    mutating func flush() {
        flushedCount = writes.count
    }

    /// - Parameter latency: drawn for what leaves.
    mutating func next(at now: NIODeadline, latency: () -> TimeAmount) -> Next {
        guard flushedCount > 0, unreadBytes < Self.unreadBytesMax else { return .nothing }
        guard freeAt <= now else { return .waits(freeAt) }
        let write = writes.removeFirst()
        let count = write.bytes.readableBytes
        flushedCount -= 1
        waitingBytes -= count
        guard count > 0 else { return .leaves(write, arriving: now) }
        unreadBytes += count
        freeAt = now + duration(of: count)
        lastArrival = max(lastArrival, freeAt + latency())
        return .leaves(write, arriving: lastArrival)
    }

    /// When the end of the stream arrives: not before what left last.
    func end(at now: NIODeadline, latency: () -> TimeAmount) -> NIODeadline { max(now + latency(), lastArrival) }

    mutating func wereRead(_ count: Int) {
        unreadBytes -= count
    }

    mutating func allIsRead() {
        unreadBytes = 0
    }

    var isEmpty: Bool { writes.isEmpty }

    /// - Returns: what has not left and never will.
    mutating func drop() -> [Write] {
        defer { (writes, flushedCount, waitingBytes) = ([], 0, 0) }
        return Array(writes)
    }

    private func duration(of count: Int) -> TimeAmount {
        guard let bytesPerSecond else { return .zero }
        return .nanoseconds(Int64((Double(count) * 1e9 / Double(bytesPerSecond)).rounded(.up)))
    }
}

/// What is on its way to one end of a connection.
struct IncomingBytes {
    enum Item {
        case bytes(ByteBuffer)
        /// Nothing comes after this.
        case end
    }

    private var items: Deque<(item: Item, due: NIODeadline)> = []

    /// - Parameter due: not before that of an earlier item.
    mutating func add(_ item: Item, due: NIODeadline) {
        items.append((item, due))
    }

    /// When the next item is there.
    var due: NIODeadline? { items.first?.due }

    mutating func take(at now: NIODeadline) -> Item? {
        guard let due, due <= now else { return nil }
        return items.removeFirst().item
    }

    mutating func drop() {
        items = []
    }
}
