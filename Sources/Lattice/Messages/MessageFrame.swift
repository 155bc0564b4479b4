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
        case .message(let bytes): head(bytes.count) + bytes
        case .flush(let number), .flushed(let number): head(Self.numberBytes) + Self.bigEndian(number, Self.numberBytes)
        }
    }

    private func head(_ count: Int) -> [UInt8] {
        [kind] + Self.bigEndian(UInt64(count), Self.headBytes - 1)
    }

    private static func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(count - 1 - $0))) }
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

    mutating func add(_ bytes: [UInt8]) {
        rest += bytes
    }

    /// - Returns: the next whole frame; `nil` if more bytes must come first.
    /// - Throws: if the stream can hold no more frames.
    mutating func next() throws(MessageFault) -> MessageFrame? {
        while rest.count >= MessageFrame.headBytes {
            let count = MessageFrame.number(rest[1..<MessageFrame.headBytes])
            guard count <= UInt64(Session.messageBytesMax) else { throw MessageFault() }
            let end = MessageFrame.headBytes + Int(count)
            guard rest.count >= end else { return nil }
            let frame = try MessageFrame(kind: rest[0], rest[MessageFrame.headBytes..<end])
            rest.removeSubrange(..<end)
            if let frame { return frame }
        }
        return nil
    }
}
