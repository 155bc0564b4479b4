import NIOCore

/// The send queue of one client: one write is in progress, and what comes meanwhile is the next one.
struct IRCOutlet {
    let channel: any Channel
    private var waiting = ByteBuffer()
    private var underWay = 0
    private var writtenAt: NIODeadline?
    private(set) var isClosing = false

    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// Bytes that the client has not accepted yet.
    var bytes: Int { waiting.readableBytes + underWay }

    mutating func append(_ bytes: [UInt8]) {
        if !isClosing { waiting.writeBytes(bytes) }
    }

    /// Drops what a client that does not read will not get anyway.
    mutating func drop() { waiting.clear() }

    mutating func close() { isClosing = true }

    /// - Returns: what to write now; `nil` if the queue is empty or a write is in progress.
    mutating func next(at now: NIODeadline) -> ByteBuffer? {
        guard underWay == 0, waiting.readableBytes > 0 else { return nil }
        let piece = waiting
        underWay = piece.readableBytes
        writtenAt = now
        // A new buffer, so that the memory of a burst is freed.
        waiting = ByteBuffer()
        return piece
    }

    func wasWritten(after deadline: NIODeadline) -> Bool { writtenAt.map { $0 > deadline } ?? false }

    mutating func written() { underWay = 0 }

    var isDone: Bool { isClosing && bytes == 0 }
}
