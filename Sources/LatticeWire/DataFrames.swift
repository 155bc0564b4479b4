package import LatticeCore

/// Where data goes that is not for the peer at the other end of the link: `routed:1 (ttl:varint from:32 to:32)?`.
package struct DataRoute: Hashable, Sendable {
    /// How many links it may still go, this one included: 1–64.
    package let timeToLive: UInt8
    /// Who is said to have sent it: the word of those who passed it on, and nobody's signature.
    package let from: PeerID
    package let to: PeerID

    package init(timeToLive: UInt8, from: PeerID, to: PeerID) {
        self.timeToLive = timeToLive
        self.from = from
        self.to = to
    }

    /// For the next link; `nil` if it may go no further.
    package var onward: DataRoute? {
        timeToLive > 1 ? DataRoute(timeToLive: timeToLive - 1, from: from, to: to) : nil
    }
}

/// Whole messages between the programs of two peers, each with its length before it: what one frame carries,
/// `count:varint (length:varint octets)*`.
///
/// Made only by putting messages in or by reading well-formed octets, so whoever has one need not check lengths again.
package struct DataMessages: Hashable, Sendable {
    /// One message, so that it fits a frame of its own.
    package static let messageBytesMax = 60_000
    /// A frame is closed once it holds so much: what is sealed at once is cheaper, and what waits behind it waits longer.
    package static let bytesFull = 16 << 10
    /// The longest: one message with its length.
    package static let bytesMax = messageBytesMax + 3

    package private(set) var bytes: [UInt8] = []
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { bytes.isEmpty }

    /// Whether the next message had better begin another frame.
    package func isFull(for message: Int) -> Bool {
        !bytes.isEmpty && bytes.count + message + 3 > Self.bytesFull
    }

    /// - Parameter message: at most `messageBytesMax` bytes, and as many as there is room for.
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
    ///   - count: how many messages.
    ///   - octets: `(length:varint octets)*`, each message at most `messageBytesMax` long.
    package init(_ count: UInt64, decoding octets: ArraySlice<UInt8>) throws(WireError) {
        guard octets.count <= Self.bytesMax else {
            throw .tooLong(field: "data", bytes: octets.count, bytesMax: Self.bytesMax)
        }
        // Each takes a byte at least.
        guard count <= UInt64(octets.count) else { throw .truncated(field: "data messages") }
        var reader = ByteReader(octets)
        for _ in 0..<count { _ = try reader.bytes("data message", bytesMax: Self.messageBytesMax) }
        try reader.end("frame")
        bytes = Array(octets)
        self.count = Int(count)
    }

    /// Takes the message that begins at `position` out, and moves it behind that.
    ///
    /// - Returns: `nil` at the end.
    package func message(at position: inout Int) -> [UInt8]? {
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
        return Array(bytes[position..<position + length])
    }
}

/// Data on its way: `route flow:8 offset:varint messages`. Without a message it only asks for an answer.
package struct DataFrame: Hashable, Sendable {
    package let route: DataRoute?
    /// Chosen by the sender when it begins anew with this peer.
    package let flow: UInt64
    /// How many bytes of the flow come before these.
    package let offset: UInt64
    package let messages: DataMessages

    package init(route: DataRoute?, flow: UInt64, offset: UInt64, messages: DataMessages) {
        self.route = route
        self.flow = flow
        self.offset = offset
        self.messages = messages
    }
}

/// What the receiver of data says of a flow: `route flow:8 received:varint limit:varint state:varint`.
package struct DataAnswer: Hashable, Sendable {
    package enum State: UInt64, Hashable, Sendable {
        case open = 0
        /// What comes behind `received` has to be sent again.
        case missing = 1
        /// No program there takes data.
        case unwanted = 2
        /// The beginning of this flow is not known there: it was lost on the way, or the receiver began anew.
        case unknown = 3
        /// So many send data there that there is no room for another.
        case full = 4
    }

    package let route: DataRoute?
    package let flow: UInt64
    /// Bytes of the flow that came, without a gap.
    package let received: UInt64
    /// The sender may send so many bytes of the flow, those that came included.
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
