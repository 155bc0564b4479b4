/// What goes over the stream of messages between two sessions: one byte for the kind, four for the length in big-endian
/// order, then that many bytes.
enum MessageFrame: Hashable, Sendable {
    /// One message, 0–60,000 bytes.
    case message([UInt8])
    /// Asks to be answered when the program there has read everything before it.
    case flush(UInt64)
    /// The answer to a `flush` of the same number.
    case flushed(UInt64)

    static let headBytes = 5
    private static let numberBytes = 8

    private var kind: UInt8 {
        switch self {
        case .message: 0
        case .flush: 1
        case .flushed: 2
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .message(let bytes): framed(bytes)
        case .flush(let number), .flushed(let number):
            framed((1...Self.numberBytes).map { UInt8(truncatingIfNeeded: number >> (8 * (Self.numberBytes - $0))) })
        }
    }

    private func framed(_ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headBytes + body.count)
        Self.append(body, kind, to: &bytes)
        return bytes
    }

    private static func append(_ body: [UInt8], _ kind: UInt8, to bytes: inout [UInt8]) {
        let count = body.count
        bytes.append(kind)
        bytes.append(UInt8(truncatingIfNeeded: count >> 24))
        bytes.append(UInt8(truncatingIfNeeded: count >> 16))
        bytes.append(UInt8(truncatingIfNeeded: count >> 8))
        bytes.append(UInt8(truncatingIfNeeded: count))
        bytes += body
    }

    /// Adds the frame of a message to what is sent.
    static func append(message: [UInt8], to bytes: inout [UInt8]) {
        append(message, 0, to: &bytes)
    }

    fileprivate static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// - Returns: `nil` for a kind of a later version, which is skipped.
    fileprivate init?(kind: UInt8, _ body: ArraySlice<UInt8>) throws(MessageFault) {
        switch kind {
        case 0:
            self = .message(Array(body))
        case 1, 2:
            guard body.count == Self.numberBytes else { throw MessageFault() }
            self = kind == 1 ? .flush(Self.number(body)) : .flushed(Self.number(body))
        default: return nil
        }
    }
}

/// The other side sends what is no frame.
struct MessageFault: Error {}

/// Cuts a stream into frames.
struct MessageReader: Sendable {
    private var rest: [UInt8] = []
    /// Where the next frame begins. A part may hold hundreds, and moving up what follows each would take longer than all else.
    private var start = 0

    mutating func add(_ bytes: [UInt8]) {
        rest.removeSubrange(..<start)
        start = 0
        rest += bytes
    }

    /// - Returns: the next whole frame; `nil` if more bytes must come first.
    /// - Throws: if the stream can hold no more frames.
    mutating func next() throws(MessageFault) -> MessageFrame? {
        while rest.count - start >= MessageFrame.headBytes {
            let body = start + MessageFrame.headBytes
            let count = MessageFrame.number(rest[start + 1..<body])
            guard count <= UInt64(Session.messageBytesMax) else { throw MessageFault() }
            let end = body + Int(count)
            guard rest.count >= end else { return nil }
            let frame = try MessageFrame(kind: rest[start], rest[body..<end])
            start = end
            if let frame { return frame }
        }
        return nil
    }
}
