/// A message between the nodes of two peers about a stream, sent as one data message:
/// `version:1 kind:varint stream:8 …`.
///
/// Each side numbers its parts from 0 and keeps them until the other has taken them, so a stream continues on another
/// route when its route is lost.
package struct StreamMessage: Hashable, Sendable {
    package static let version: UInt8 = 1
    /// A part and its header fit one data frame, `DataMessages.bytesFull`.
    package static let partBytesMax = 16 << 10 - 32

    package enum Kind: Hashable, Sendable {
        /// Part 0 of the side that opens the stream.
        case begin([UInt8])
        case part(number: UInt64, [UInt8])
        /// How many parts arrived, and how many of these the sender's program has taken.
        case taken(UInt64, heard: UInt64)
        /// Asks for `taken`.
        case ask
        case reset(StreamReset)
    }

    /// Chosen at random by the side that opens the stream; streams with different peers are separate.
    package let stream: UInt64
    package let kind: Kind

    package init(stream: UInt64, _ kind: Kind) {
        self.stream = stream
        self.kind = kind
    }

    /// - Returns: `nil` for a kind of a later version, which is ignored.
    package static func decode(_ octets: [UInt8]) throws(WireError) -> StreamMessage? {
        try decode(octets[...])
    }

    package static func decode(_ octets: ArraySlice<UInt8>) throws(WireError) -> StreamMessage? {
        var reader = ByteReader(octets)
        let version = try reader.byte("stream version")
        guard version == Self.version else { throw .unknownVersion(version) }
        let kind = try reader.varint("stream kind")
        let stream = try reader.integer(bytes: 8, "stream")
        switch kind {
        case 0: return StreamMessage(stream: stream, .begin(try part(&reader)))
        case 1:
            let number = try reader.varint("stream part number")
            return StreamMessage(stream: stream, .part(number: number, try part(&reader)))
        case 2:
            let taken = try reader.varint("stream parts taken")
            let heard = try reader.varint("stream parts heard")
            guard taken <= heard else { throw .outOfRange(field: "stream parts taken") }
            try reader.end("stream message")
            return StreamMessage(stream: stream, .taken(taken, heard: heard))
        case 3:
            try reader.end("stream message")
            return StreamMessage(stream: stream, .ask)
        case 4:
            let reason = try reader.varint("stream reset")
            try reader.end("stream message")
            return StreamMessage(stream: stream, .reset(StreamReset(rawValue: reason) ?? .other))
        default: return nil
        }
    }

    private static func part(_ reader: inout ByteReader) throws(WireError) -> [UInt8] {
        let octets = reader.rest()
        guard !octets.isEmpty else { throw .truncated(field: "stream part") }
        guard octets.count <= partBytesMax else {
            throw .tooLong(field: "stream part", bytes: octets.count, bytesMax: partBytesMax)
        }
        return Array(octets)
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(reserving: byteCountGuess)
        writer.byte(Self.version)
        writer.varint(number)
        writer.integer(stream, bytes: 8)
        switch kind {
        case .begin(let octets): writer.fixed(octets)
        case .part(let number, let octets):
            writer.varint(number)
            writer.fixed(octets)
        case .taken(let taken, let heard):
            writer.varint(taken)
            writer.varint(heard)
        case .ask: break
        case .reset(let reason): writer.varint(reason.rawValue)
        }
        return writer.bytes
    }

    /// The beginning of a `part` message; the part follows.
    ///
    /// - Parameter partBytes: reserved for the part.
    package static func partHead(stream: UInt64, number: UInt64, reserving partBytes: Int) -> [UInt8] {
        var writer = ByteWriter(reserving: partBytes + 20)
        writer.byte(version)
        writer.varint(1)
        writer.integer(stream, bytes: 8)
        writer.varint(number)
        return writer.bytes
    }

    private var number: UInt64 {
        switch kind {
        case .begin: 0
        case .part: 1
        case .taken: 2
        case .ask: 3
        case .reset: 4
        }
    }

    private var byteCountGuess: Int {
        switch kind {
        case .begin(let octets), .part(_, let octets): octets.count + 20
        case .taken, .ask, .reset: 32
        }
    }
}

package enum StreamReset: UInt64, Hashable, Sendable, CaseIterable {
    /// A reason of a later version.
    case other = 0
    case nobodyListens = 1
    /// The program that listens there expects somebody else.
    case notForYou = 2
    /// Too many streams are open there.
    case full = 3
    /// The program there ended or gave up.
    case ended = 4
    /// The program there could not write what it received.
    case writeFailed = 5
    case diskFull = 6
    /// The reader behind the program there has closed.
    case readerGone = 7
    /// The program there could not read what it should send.
    case readFailed = 8
    case nodeEnds = 9
    case unknown = 10
    /// The other side has another identity than expected, or broke the protocol.
    case untrusted = 11
}
