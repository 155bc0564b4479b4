/// What the nodes of two peers say to each other of a stream, as one message of data: `version:1 kind:varint stream:8 …`.
///
/// Each side numbers its parts from 0 and keeps them until the other has taken them, so a stream goes on over another way
/// where the one it took has gone.
package struct StreamMessage: Hashable, Sendable {
    package static let version: UInt8 = 1
    /// A part and what stands before it fit the frame that data is gathered in, `DataMessages.bytesFull`.
    package static let partBytesMax = 16 << 10 - 32

    package enum Kind: Hashable, Sendable {
        /// Part 0 of whoever opens the stream.
        case begin([UInt8])
        case part(number: UInt64, [UInt8])
        /// How many parts came, and how many of these the program here has taken.
        case taken(UInt64, heard: UInt64)
        /// Asks for `taken`.
        case ask
        case reset(StreamReset)
    }

    /// Drawn by whoever opens it; one peer's is not another's.
    package let stream: UInt64
    package let kind: Kind

    package init(stream: UInt64, _ kind: Kind) {
        self.stream = stream
        self.kind = kind
    }

    /// - Returns: `nil` for a kind of a later version, which is passed over.
    package static func decode(_ octets: [UInt8]) throws(WireError) -> StreamMessage? {
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

/// Why a stream ended before both had said all.
package enum StreamReset: UInt64, Hashable, Sendable, CaseIterable {
    /// Of a later version.
    case other = 0
    /// No program listens there for this label.
    case nobodyListens = 1
    /// The program that listens there waits for somebody else.
    case notForYou = 2
    /// So many streams are open there that there is no room for another.
    case full = 3
    /// The program there was ended, or gave it up.
    case ended = 4
    /// The program there could not write what came.
    case writeFailed = 5
    /// There is no room on the disk of the program there.
    case diskFull = 6
    /// Whatever read from the program there takes no more.
    case readerGone = 7
    /// The program there could not read what it was to send.
    case readFailed = 8
    /// The node there ends.
    case nodeEnds = 9
    /// This stream is not known there.
    case unknown = 10
    /// The other side is not who it is taken for, or does not keep to the rules.
    case untrusted = 11
}
