package import LatticeCore

/// The destination of data for another peer than the link's: `routed:1 (ttl:varint from:32 to:32)?`.
package struct DataRoute: Hashable, Sendable {
    /// Links that it may still travel, this one included: 1–64.
    package let timeToLive: UInt8
    /// The claimed sender: relays say so, and nobody signs it.
    package let from: PeerID
    package let to: PeerID

    package init(timeToLive: UInt8, from: PeerID, to: PeerID) {
        self.timeToLive = timeToLive
        self.from = from
        self.to = to
    }

    /// The route for the next link; `nil` if it may not travel further.
    package var onward: DataRoute? {
        timeToLive > 1 ? DataRoute(timeToLive: timeToLive - 1, from: from, to: to) : nil
    }
}

/// Whole messages between the programs of two peers, as one frame carries them, each with its length:
/// `count:varint (length:varint octets)*`.
///
/// A value contains only well-formed lengths: it is built from messages or by decoding valid octets.
package struct DataMessages: Hashable, Sendable {
    /// One message always fits one frame.
    package static let messageBytesMax = 60_000
    /// A frame is closed at this size: encrypting more at once is cheaper, but what is queued behind it waits longer.
    package static let bytesFull = 16 << 10
    package static let bytesMax = messageBytesMax + 3

    package private(set) var bytes: [UInt8] = []
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { bytes.isEmpty }

    /// Whether a message of this size should start another frame.
    package func isFull(for message: Int) -> Bool {
        !bytes.isEmpty && bytes.count + message + 3 > Self.bytesFull
    }

    /// - Parameter message: at most `messageBytesMax` bytes, and at most what fits.
    package mutating func append(_ message: [UInt8]) {
        precondition(message.count <= Self.messageBytesMax, "a longer message is refused where it is given")
        if bytes.isEmpty {
            bytes.reserveCapacity(max(message.count + 3, min(64 * (message.count + 2), Self.bytesFull)))
        }
        var length = message.count
        while length >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        bytes.append(UInt8(length))
        bytes.append(contentsOf: message)
        count += 1
    }

    /// - Parameters:
    ///   - count: the number of messages.
    ///   - octets: `(length:varint octets)*`, each message at most `messageBytesMax` long.
    package init(_ count: UInt64, decoding octets: ArraySlice<UInt8>) throws(WireError) {
        guard octets.count <= Self.bytesMax else {
            throw .tooLong(field: "data", bytes: octets.count, bytesMax: Self.bytesMax)
        }
        // Each has at least one byte.
        guard count <= UInt64(octets.count) else { throw .truncated(field: "data messages") }
        var reader = ByteReader(octets)
        for _ in 0..<count { _ = try reader.bytes("data message", bytesMax: Self.messageBytesMax) }
        try reader.end("frame")
        bytes = Array(octets)
        self.count = Int(count)
    }

    /// Returns the message that begins at `position`, and advances `position` behind it.
    ///
    /// - Returns: `nil` at the end.
    package func message(at position: inout Int) -> ArraySlice<UInt8>? {
        guard position < bytes.count else { return nil }
        var (length, shift) = (0, 0)
        while true {
            let byte = bytes[position]
            position += 1
            length |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { break }
            shift += 7
        }
        defer { position += length }
        return bytes[position..<position + length]
    }
}

/// Data between programs: `route flow:8 offset:varint messages`. Without a message it only asks for an answer.
package struct DataFrame: Hashable, Sendable {
    package let route: DataRoute?
    /// Chosen by the sender when it starts a flow to this peer.
    package let flow: UInt64
    /// Bytes of the flow before these.
    package let offset: UInt64
    package let messages: DataMessages

    package init(route: DataRoute?, flow: UInt64, offset: UInt64, messages: DataMessages) {
        self.route = route
        self.flow = flow
        self.offset = offset
        self.messages = messages
    }
}

/// The receiver's report on a flow: `route flow:8 received:varint limit:varint state:varint`.
package struct DataAnswer: Hashable, Sendable {
    package enum State: UInt64, Hashable, Sendable {
        case open = 0
        /// Everything after `received` must be sent again.
        case missing = 1
        /// No program there accepts data.
        case unwanted = 2
        /// The receiver does not know the beginning of this flow: it was lost, or the receiver restarted.
        case unknown = 3
        /// Too many peers send data there.
        case full = 4
    }

    package let route: DataRoute?
    package let flow: UInt64
    /// Bytes of the flow received without a gap.
    package let received: UInt64
    /// The total number of bytes of the flow that the sender may send, received ones included.
    package let limit: UInt64
    package let state: State

    package init(route: DataRoute?, flow: UInt64, received: UInt64, limit: UInt64, state: State) {
        self.route = route
        self.flow = flow
        self.received = received
        self.limit = limit
        self.state = state
    }
}
