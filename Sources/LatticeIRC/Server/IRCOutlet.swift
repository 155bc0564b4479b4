import NIOCore

/// What waits for one client to read it: at most one piece is under way, and what comes meanwhile is the next piece.
struct IRCOutlet {
    let channel: any Channel
    private var waiting = ByteBuffer()
    private var underWay = 0
    private var writtenAt: NIODeadline?
    private(set) var isClosing = false

    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// Bytes that the client has not taken yet.
    var bytes: Int { waiting.readableBytes + underWay }

    mutating func append(_ bytes: [UInt8]) {
        if !isClosing { waiting.writeBytes(bytes) }
    }

    /// What it would not read anyway.
    mutating func drop() { waiting.clear() }

    mutating func close() { isClosing = true }

    /// - Returns: what is to be written now; `nil` where nothing is, or something is under way.
    mutating func next(at now: NIODeadline) -> ByteBuffer? {
        guard underWay == 0, waiting.readableBytes > 0 else { return nil }
        let piece = waiting
        underWay = piece.readableBytes
        writtenAt = now
        // A burst's memory is not kept for ever.
        waiting = ByteBuffer()
        return piece
    }

    func wasWritten(after deadline: NIODeadline) -> Bool { writtenAt.map { $0 > deadline } ?? false }

    mutating func written() { underWay = 0 }

    var isDone: Bool { isClosing && bytes == 0 }
}
